//! Signs a person in with openidconnect, then reads and writes with the types that graphql-client makes from
//! schema.graphql. Each step that went well prints a line, and the first that did not ends the program.

mod sign_in;

use std::error::Error;
use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use graphql_client::GraphQLQuery;
use graphql_client::reqwest::post_graphql_blocking;
use openidconnect::core::{CoreErrorResponseType, CoreUserInfoClaims};
use openidconnect::http::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use openidconnect::{AccessToken, OAuth2TokenResponse, RequestTokenError, reqwest};

use crate::sign_in::{connect, setting, sign_in};

type Outcome<T> = Result<T, Box<dyn Error>>;

#[derive(GraphQLQuery)]
#[graphql(
    schema_path = "schema.graphql",
    query_path = "walk.graphql",
    response_derives = "Debug"
)]
struct CreatePost;

#[derive(GraphQLQuery)]
#[graphql(schema_path = "schema.graphql", query_path = "walk.graphql", response_derives = "Debug")]
struct NewestPosts;

fn main() -> Outcome<()> {
    let http = builder()?.build()?;
    let client = connect(&http)?;

    let (token, claims) = sign_in(&client, &http)?;
    println!("Signed in as {}", name(claims.name()));

    let info: CoreUserInfoClaims = client
        .user_info(token.access_token().clone(), Some(claims.subject().clone()))?
        .request(&http)?;
    println!("Userinfo of {}", name(info.name()));

    let input = create_post::CreatePostInput {
        title: "Hello from Rust".into(),
        body: "First *post*".into(),
        status: None,
        publish_at: None,
        publish_at_zone: None,
        slug: None,
        excerpt: None,
    };
    let written = ask::<CreatePost>(&api(token.access_token())?, create_post::Variables { input })?.create_post;
    println!("Wrote {} {:?}", written.title, written.status);

    let first = token.refresh_token().ok_or("there is no refresh token")?;
    let refreshed = client.exchange_refresh_token(first)?.request(&http)?;
    let second = refreshed.refresh_token().ok_or("the refresh brought no refresh token")?;
    if second.secret() == first.secret() || refreshed.access_token().secret() == token.access_token().secret() {
        return Err("the refresh brought an old token".into());
    }
    println!("Refreshed");

    let api = api(refreshed.access_token())?;
    let newest = || ask::<NewestPosts>(&api, newest_posts::Variables { first: 1 });
    for post in newest()?.posts {
        println!("Read {} by {}", post.title, post.author.name);
    }

    client.revoke_token(second.clone().into())?.request(&http)?;
    println!("Revoked");
    let deadline = Instant::now() + Duration::from_secs(10);
    let rejection = loop {
        // A revocation takes effect within a second.
        match newest() {
            Err(error) => break error,
            Ok(_) if Instant::now() > deadline => return Err("the revoked token still works".into()),
            Ok(_) => sleep(Duration::from_millis(20)),
        }
    };
    println!("Rejected with {rejection}");
    match client.exchange_refresh_token(second)?.request(&http) {
        Err(RequestTokenError::ServerResponse(answer)) if *answer.error() == CoreErrorResponseType::InvalidGrant => {
            println!("Refresh rejected with {}", answer.error().as_ref());
        }
        other => return Err(format!("the refresh after the revocation: {other:?}").into()),
    }
    Ok(())
}

/// Follows no redirects, as openidconnect asks for, and trusts the certificate of the test.
fn builder() -> Outcome<reqwest::blocking::ClientBuilder> {
    let certificate = reqwest::Certificate::from_pem(&fs::read(setting("CERTIFICATE")?)?)?;
    Ok(reqwest::blocking::ClientBuilder::new()
        .redirect(reqwest::redirect::Policy::none())
        .add_root_certificate(certificate)
        .timeout(Duration::from_secs(60)))
}

/// Sends the token with each request.
fn api(token: &AccessToken) -> Outcome<reqwest::blocking::Client> {
    let bearer = HeaderValue::from_str(&format!("Bearer {}", token.secret()))?;
    Ok(builder()?.default_headers(HeaderMap::from_iter([(AUTHORIZATION, bearer)])).build()?)
}

/// Asks the GraphQL endpoint. The error is the code of the first one in the answer.
fn ask<Q: GraphQLQuery>(api: &reqwest::blocking::Client, variables: Q::Variables) -> Outcome<Q::ResponseData> {
    let answer = post_graphql_blocking::<Q, _>(api, setting("API")?, variables)?;
    if let Some(error) = answer.errors.unwrap_or_default().first() {
        let code = error.extensions.as_ref().and_then(|extensions| extensions.get("code")?.as_str());
        return Err(code.unwrap_or(&error.message).into());
    }
    answer.data.ok_or_else(|| "the answer has no data".into())
}

fn name<'a>(claim: Option<&'a openidconnect::LocalizedClaim<openidconnect::EndUserName>>) -> &'a str {
    claim.and_then(|names| names.get(None)).map_or("nobody", |name| name.as_str())
}
