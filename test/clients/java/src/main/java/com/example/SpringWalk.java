package com.example;

import java.net.URI;
import java.nio.file.Files;
import org.apache.catalina.startup.Tomcat;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.filter.DelegatingFilterProxy;
import org.springframework.web.servlet.DispatcherServlet;

/** A web site with Spring Security's sign-in, in Tomcat. It ends after the walk of the first person ({@link SpringSite}). */
final class SpringWalk {
    public static void main(String[] arguments) throws Exception {
        URI redirect = URI.create(System.getenv("REDIRECT_URI"));
        AnnotationConfigWebApplicationContext spring = new AnnotationConfigWebApplicationContext();
        spring.register(SpringSite.class, WalkPage.class);
        if ("ES256".equals(System.getenv("ID_TOKEN_ALGORITHM"))) spring.register(Es256.class);

        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory(null).toString());
        tomcat.setPort(redirect.getPort());
        tomcat.getConnector();
        tomcat.addContext("", null).addServletContainerInitializer((classes, servlets) -> {
            spring.setServletContext(servlets);
            spring.refresh();
            servlets.addServlet("site", new DispatcherServlet(spring)).addMapping("/");
            servlets.addFilter("security", new DelegatingFilterProxy("springSecurityFilterChain", spring))
                .addMappingForUrlPatterns(null, false, "/*");
        }, null);
        tomcat.start();
        System.out.println("Sign in at " + redirect.resolve("/oauth2/authorization/content"));
        int code = spring.getBean(WalkPage.class).ended();
        tomcat.stop();
        System.exit(code);
    }
}
