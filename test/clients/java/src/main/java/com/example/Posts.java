package com.example;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.springframework.graphql.client.FieldAccessException;
import org.springframework.graphql.client.HttpSyncGraphQlClient;
import org.springframework.web.client.RestClient;

/** The GraphQL API, with Spring's client for it. */
final class Posts {
    record Author(String name) {}

    record Post(String title, String status, Author author) {}

    private static final String CREATE = """
        mutation ($input: CreatePostInput!) { createPost(input: $input) { title status author { name } } }""";
    private static final String NEWEST = """
        query ($first: Int!) { posts(first: $first) { title status author { name } } }""";

    private final HttpSyncGraphQlClient client;

    /** @param builder authorizes each request */
    Posts(RestClient.Builder builder) {
        client = HttpSyncGraphQlClient.create(builder.baseUrl(System.getenv("API")).build());
    }

    static Posts with(String accessToken) {
        return new Posts(RestClient.builder().defaultHeaders(headers -> headers.setBearerAuth(accessToken)));
    }

    Post write(String title) {
        Map<String, Object> input = Map.of("title", title, "body", "First *post*");
        return client.document(CREATE).variable("input", input).retrieveSync("createPost").toEntity(Post.class);
    }

    List<Post> newest(int first) {
        return client.document(NEWEST).variable("first", first).retrieveSync("posts").toEntityList(Post.class);
    }

    /** Asks until the token is rejected: a revocation takes effect within a second. Returns the code of the error. */
    Object untilRejected() throws InterruptedException {
        for (Instant deadline = Instant.now().plusSeconds(10); Instant.now().isBefore(deadline); ) {
            try {
                newest(1);
            } catch (FieldAccessException rejected) {
                return rejected.getResponse().getErrors().get(0).getExtensions().get("code");
            }
            Thread.sleep(20);
        }
        throw new IllegalStateException("the revoked token still works");
    }
}
