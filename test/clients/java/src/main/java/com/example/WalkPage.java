package com.example;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.ClientAuthorizationException;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.client.web.client.OAuth2ClientHttpRequestInterceptor;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** The page where people are after they have signed in. Each step that went well prints a line. */
@RestController
class WalkPage {
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    private final OAuth2AuthorizedClientManager manager;
    private final OAuth2AuthorizedClientRepository authorizedClients;

    WalkPage(OAuth2AuthorizedClientManager manager, OAuth2AuthorizedClientRepository authorizedClients) {
        this.manager = manager;
        this.authorizedClients = authorizedClients;
    }

    /** Waits for the walk. Returns the exit code of the program. */
    int ended() throws Exception {
        return exitCode.get(180, TimeUnit.SECONDS);
    }

    @GetMapping("/")
    void page(Authentication person, HttpServletRequest request, HttpServletResponse response) throws IOException {
        int code = 1;
        try {
            walk(person, request);
            code = 0;
        } catch (Exception error) {
            error.printStackTrace();
        }
        response.setStatus(code == 0 ? 200 : 500);
        response.setContentLength(0);
        response.flushBuffer(); // before the program ends
        exitCode.complete(code);
    }

    private void walk(Authentication person, HttpServletRequest request) throws Exception {
        OidcUser user = (OidcUser) person.getPrincipal();
        System.out.println("Signed in as " + user.getIdToken().getFullName());
        System.out.println("Userinfo of " + user.getUserInfo().getFullName());

        OAuth2AuthorizedClient first = authorizedClients.loadAuthorizedClient("content", person, request);
        Posts.Post written = Posts.with(first.getAccessToken().getTokenValue()).write("Hello from Spring");
        System.out.println("Wrote " + written.title() + " " + written.status());

        OAuth2ClientHttpRequestInterceptor refreshing = new OAuth2ClientHttpRequestInterceptor(manager);
        refreshing.setClientRegistrationIdResolver(any -> "content");
        Posts posts = new Posts(RestClient.builder().requestInterceptor(refreshing));
        Posts.Post read = posts.newest(1).get(0);
        OAuth2AuthorizedClient second = authorizedClients.loadAuthorizedClient("content", person, request);
        if (second.getAccessToken().getTokenValue().equals(first.getAccessToken().getTokenValue())
            || second.getRefreshToken().getTokenValue().equals(first.getRefreshToken().getTokenValue()))
            throw new IllegalStateException("there was no refresh");
        System.out.println("Refreshed");
        System.out.println("Read " + read.title() + " by " + read.author().name());

        revoke(second);
        System.out.println("Revoked");
        Object rejection = Posts.with(second.getAccessToken().getTokenValue()).untilRejected();
        System.out.println("Rejected with " + rejection);
        try {
            posts.newest(1);
        } catch (ClientAuthorizationException refused) {
            System.out.println("Refresh rejected with " + refused.getError().getErrorCode());
        }
    }

    /** Spring Security has no function for RFC 7009, but keeps the whole discovery document. */
    private static void revoke(OAuth2AuthorizedClient client) {
        ClientRegistration registration = client.getClientRegistration();
        Object endpoint = registration.getProviderDetails().getConfigurationMetadata().get("revocation_endpoint");
        MultiValueMap<String, String> form = new LinkedMultiValueMap<>();
        form.add("token", client.getRefreshToken().getTokenValue());
        RestClient.create().post().uri(endpoint.toString())
            .headers(headers -> headers.setBasicAuth(registration.getClientId(), registration.getClientSecret()))
            .body(form).retrieve().toBodilessEntity();
    }
}
