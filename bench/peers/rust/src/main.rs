//! A server in Rust, as somebody would write it who expects Rust to win: axum, async-graphql with its DataLoader, and
//! rusqlite, each set up as its guide says. It checks no token and has no limits and no log. It runs on one core, so there
//! is one thread, and one connection that belongs to it. The database is in memory all but always, so a query runs where
//! it is asked for: a thread for blocking calls would cost more than the query.
//!
//! `DATABASE_FILE` and `PORT` as for the other peers.

mod database;
mod schema;

use std::{env, error::Error, net::Ipv4Addr, time::Duration};

use async_graphql::{EmptyMutation, EmptySubscription, Schema, dataloader::DataLoader};
use async_graphql_axum::{GraphQLRequest, GraphQLResponse};
use axum::{Router, extract::State, routing::post, serve::ListenerExt};
use tokio::net::TcpListener;

use crate::{
    database::{Authors, PostsByAuthor},
    schema::Query,
};

/// Allocates faster than the system's allocator, as most servers in Rust are told to use it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Posts = Schema<Query, EmptyMutation, EmptySubscription>;

async fn graphql(State(schema): State<Posts>, request: GraphQLRequest) -> GraphQLResponse {
    schema.execute(request.into_inner()).await.into()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // Batches of what all requests under way ask for. Without a delay they are loaded as soon as these wait; with the
    // default of a millisecond, everything would take a millisecond longer.
    let schema = Schema::build(Query, EmptyMutation, EmptySubscription)
        .data(DataLoader::new(Authors, tokio::spawn).delay(Duration::ZERO))
        .data(DataLoader::new(PostsByAuthor, tokio::spawn).delay(Duration::ZERO))
        .finish();
    let app = Router::new().route("/graphql", post(graphql)).with_state(schema);
    let port: u16 = env::var("PORT")?.parse()?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?.tap_io(|connection| {
        let _ = connection.set_nodelay(true);
    });
    axum::serve(listener, app).await?;
    Ok(())
}
