package com.example;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.TokenRevocationRequest;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.token.Tokens;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.AuthenticationResponse;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.UserInfoRequest;
import com.nimbusds.openid.connect.sdk.UserInfoResponse;
import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import com.nimbusds.openid.connect.sdk.claims.UserInfo;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Signs a person in with the Nimbus SDK. Each step that went well prints a line, and the first that did not ends it. */
final class NimbusWalk {
    private static final URI REDIRECT = URI.create(System.getenv("REDIRECT_URI"));

    private final OIDCProviderMetadata server;
    private final ClientAuthentication client;

    private NimbusWalk() throws Exception {
        server = OIDCProviderMetadata.resolve(new Issuer(System.getenv("ISSUER")));
        client = new ClientSecretPost(new ClientID(System.getenv("CLIENT_ID")), new Secret(System.getenv("CLIENT_SECRET")));
    }

    public static void main(String[] arguments) throws Exception {
        new NimbusWalk().walk();
    }

    private void walk() throws Exception {
        CodeVerifier verifier = new CodeVerifier();
        Nonce nonce = new Nonce();
        AuthenticationResponse answer = ask(verifier, nonce);
        OIDCTokenResponse signedIn = (OIDCTokenResponse)
            request(new AuthorizationCodeGrant(answer.toSuccessResponse().getAuthorizationCode(), REDIRECT, verifier));
        IDTokenClaimsSet claims = new IDTokenValidator(
                server.getIssuer(), client.getClientID(), JWSAlgorithm.ES256, server.getJWKSetURI().toURL())
            .validate(signedIn.getOIDCTokens().getIDToken(), nonce);
        System.out.println("Signed in as " + claims.getStringClaim("name"));

        Tokens first = signedIn.getTokens();
        HTTPResponse about =
            new UserInfoRequest(server.getUserInfoEndpointURI(), first.getBearerAccessToken()).toHTTPRequest().send();
        UserInfo info = UserInfoResponse.parse(about).toSuccessResponse().getUserInfo();
        require(info.getSubject().equals(claims.getSubject()), "userinfo is about somebody else");
        System.out.println("Userinfo of " + info.getName());

        Posts.Post written = Posts.with(first.getAccessToken().getValue()).write("Hello from Nimbus");
        System.out.println("Wrote " + written.title() + " " + written.status());

        Tokens second = request(new RefreshTokenGrant(first.getRefreshToken())).toSuccessResponse().getTokens();
        require(!second.getAccessToken().equals(first.getAccessToken()), "the refresh brought an old access token");
        require(!second.getRefreshToken().equals(first.getRefreshToken()), "the refresh brought an old refresh token");
        System.out.println("Refreshed");

        Posts posts = Posts.with(second.getAccessToken().getValue());
        for (Posts.Post post : posts.newest(1))
            System.out.println("Read " + post.title() + " by " + post.author().name());

        HTTPResponse revoked = new TokenRevocationRequest(
                server.getRevocationEndpointURI(), client, second.getRefreshToken())
            .toHTTPRequest().send();
        revoked.ensureStatusCode(HTTPResponse.SC_OK);
        System.out.println("Revoked");
        System.out.println("Rejected with " + posts.untilRejected());
        TokenResponse refused = request(new RefreshTokenGrant(second.getRefreshToken()));
        System.out.println("Refresh rejected with " + refused.toErrorResponse().getErrorObject().getCode());
    }

    /** Prints a URL for the person, and waits for the answer at the redirect URI. */
    private AuthenticationResponse ask(CodeVerifier verifier, Nonce nonce) throws Exception {
        State state = new State();
        Scope scope = new Scope("openid", "profile", "posts:read", "posts:write", "users:read");
        AuthenticationRequest request =
            new AuthenticationRequest.Builder(ResponseType.CODE, scope, client.getClientID(), REDIRECT)
                .endpointURI(server.getAuthorizationEndpointURI())
                .state(state)
                .nonce(nonce)
                .codeChallenge(verifier, CodeChallengeMethod.S256)
                .build();
        BlockingQueue<URI> answers = new ArrayBlockingQueue<>(1);
        HttpServer listener = HttpServer.create(new InetSocketAddress(REDIRECT.getHost(), REDIRECT.getPort()), 0);
        listener.createContext(REDIRECT.getPath(), exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
            answers.offer(exchange.getRequestURI());
        });
        listener.start();
        System.out.println("Sign in at " + request.toURI());
        URI answered = answers.poll(180, TimeUnit.SECONDS);
        listener.stop(0);
        require(answered != null, "nobody signed in");
        AuthenticationResponse answer = AuthenticationResponseParser.parse(answered);
        require(answer.indicatesSuccess(), "the answer is an error");
        require(state.equals(answer.getState()), "the answer belongs to another request");
        require(server.getIssuer().equals(answer.getIssuer()), "the answer is another server's");
        return answer;
    }

    private TokenResponse request(AuthorizationGrant grant) throws Exception {
        TokenRequest request = new TokenRequest.Builder(server.getTokenEndpointURI(), client, grant).build();
        return OIDCTokenResponseParser.parse(request.toHTTPRequest().send());
    }

    private static void require(boolean isSo, String otherwise) {
        if (!isSo) throw new IllegalStateException(otherwise);
    }
}
