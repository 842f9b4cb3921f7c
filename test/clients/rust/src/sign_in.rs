//! Authorization code with PKCE, as the documentation of openidconnect has it.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use openidconnect::core::{
    CoreAuthDisplay, CoreAuthenticationFlow, CoreClaimName, CoreClaimType, CoreClient, CoreClientAuthMethod, CoreGrantType,
    CoreIdTokenClaims, CoreJsonWebKey, CoreJweContentEncryptionAlgorithm, CoreJweKeyManagementAlgorithm, CoreResponseMode,
    CoreResponseType, CoreSubjectIdentifierType, CoreTokenResponse,
};
use openidconnect::url::Url;
use openidconnect::{
    AdditionalProviderMetadata, AuthorizationCode, ClientId, CsrfToken, EndpointMaybeSet, EndpointNotSet, EndpointSet,
    IssuerUrl, Nonce, PkceCodeChallenge, ProviderMetadata, RedirectUrl, RevocationUrl, Scope, TokenResponse, reqwest,
};
use serde::{Deserialize, Serialize};

use crate::Outcome;

/// What the discovery document says beside the metadata of OpenID Connect (RFC 8414).
#[derive(Clone, Debug, Deserialize, Serialize)]
struct WithRevocation {
    revocation_endpoint: RevocationUrl,
}
impl AdditionalProviderMetadata for WithRevocation {}

type Metadata = ProviderMetadata<
    WithRevocation,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

pub type Client =
    CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointSet, EndpointMaybeSet, EndpointMaybeSet>;

pub fn setting(name: &str) -> Outcome<String> {
    env::var(name).map_err(|_| format!("{name} is not set").into())
}

/// Reads the discovery document of ISSUER.
pub fn connect(http: &reqwest::blocking::Client) -> Outcome<Client> {
    let metadata = Metadata::discover(&IssuerUrl::new(setting("ISSUER")?)?, http)?;
    let revocation = metadata.additional_metadata().revocation_endpoint.clone();
    let client = CoreClient::from_provider_metadata(metadata, ClientId::new(setting("CLIENT_ID")?), None);
    Ok(client.set_redirect_uri(RedirectUrl::new(setting("REDIRECT_URI")?)?).set_revocation_url(revocation))
}

/// Prints a URL for the person, and waits for the answer at the redirect URI.
pub fn sign_in(client: &Client, http: &reqwest::blocking::Client) -> Outcome<(CoreTokenResponse, CoreIdTokenClaims)> {
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let (url, state, nonce) = client
        .authorize_url(CoreAuthenticationFlow::AuthorizationCode, CsrfToken::new_random, Nonce::new_random)
        .add_scopes(["profile", "posts:read", "posts:write", "users:read"].map(|scope| Scope::new(scope.into())))
        .set_pkce_challenge(challenge)
        .url();
    let answer = wait_for_answer(&url)?;
    let of = |wanted: &str| answer.query_pairs().find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned());
    if of("state").as_ref() != Some(state.secret()) || of("iss") != Some(setting("ISSUER")?) {
        return Err("the answer belongs to another request".into());
    }
    let code = AuthorizationCode::new(of("code").ok_or("the answer has no code")?);
    let token = client.exchange_code(code)?.set_pkce_verifier(verifier).request(http)?;
    let id_token = token.id_token().ok_or("there is no ID token")?;
    let claims = id_token.claims(&client.id_token_verifier(), &nonce)?.clone();
    Ok((token, claims))
}

fn wait_for_answer(url: &Url) -> Outcome<Url> {
    let redirect = Url::parse(&setting("REDIRECT_URI")?)?;
    let listener = TcpListener::bind(redirect.socket_addrs(|| None)?.as_slice())?;
    println!("Sign in at {url}");
    let (mut stream, _) = listener.accept()?;
    let mut line = String::new();
    BufReader::new(&stream).read_line(&mut line)?;
    stream.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 25\r\n\r\nYou can close this window")?;
    Ok(redirect.join(line.split_whitespace().nth(1).ok_or("this was no request")?)?)
}
