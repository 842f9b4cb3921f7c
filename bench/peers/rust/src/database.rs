//! What the resolvers read, with the statements of `../database.mjs`: one for each level, never one for each object, and a
//! plain one for a batch of one. Statements are prepared once.

use std::{collections::HashMap, env, sync::Arc};

use async_graphql::{ID, dataloader::Loader};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Params, Result, Row};

use crate::schema::{Post, User};

thread_local! {
    static DATABASE: Connection = open().expect("DATABASE_FILE cannot be opened");
}

fn open() -> Result<Connection> {
    let file = env::var("DATABASE_FILE").expect("DATABASE_FILE is not set");
    let database = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    database.pragma_update(None, "cache_size", -65_536)?; // as much as ours has
    Ok(database)
}

const USER: &str = "SELECT id, name, email FROM users WHERE id = ?";
const USERS: &str = "SELECT id, name, email FROM users WHERE id IN (SELECT value FROM json_each(?))";
const NEWEST_POSTS: &str = "SELECT id, title, created_at, author_id FROM posts
    WHERE status = 'PUBLISHED' ORDER BY created_at DESC, id DESC LIMIT ?";
const POSTS_BY_AUTHOR: &str = "SELECT id, title, created_at, author_id FROM posts
    WHERE status = 'PUBLISHED' AND author_id = ? ORDER BY created_at DESC, id DESC LIMIT 100";

/// None where nobody has the id.
pub fn find_user(id: &str) -> Result<Option<User>> {
    DATABASE.with(|database| database.prepare_cached(USER)?.query_row([id], user).optional())
}

/// Newest first.
pub fn list_posts(first: u32) -> Result<Vec<Post>> {
    list(NEWEST_POSTS, [first], post)
}

pub struct Authors;

impl Loader<String> for Authors {
    type Value = User;
    type Error = Arc<rusqlite::Error>;

    async fn load(&self, ids: &[String]) -> Result<HashMap<String, User>, Self::Error> {
        let users = match ids {
            [id] => list(USER, [id], user)?,
            _ => list(USERS, [json(ids)], user)?,
        };
        Ok(users.into_iter().map(|user| (user.id.0.clone(), user)).collect())
    }
}

/// For each author the newest 100 posts, newest first. An index has them in this order, so a statement for each author of
/// a batch is faster than one that sorts the posts of all.
pub struct PostsByAuthor;

impl Loader<String> for PostsByAuthor {
    type Value = Vec<Post>;
    type Error = Arc<rusqlite::Error>;

    async fn load(&self, author_ids: &[String]) -> Result<HashMap<String, Vec<Post>>, Self::Error> {
        let mut posts = HashMap::with_capacity(author_ids.len());
        for id in author_ids {
            posts.insert(id.clone(), list(POSTS_BY_AUTHOR, [id], post)?);
        }
        Ok(posts)
    }
}

fn list<T>(statement: &str, parameters: impl Params, read: fn(&Row<'_>) -> Result<T>) -> Result<Vec<T>> {
    DATABASE.with(|database| database.prepare_cached(statement)?.query_map(parameters, read)?.collect())
}

fn user(row: &Row<'_>) -> Result<User> {
    Ok(User { id: ID(row.get(0)?), name: row.get(1)?, email: row.get(2)? })
}

fn post(row: &Row<'_>) -> Result<Post> {
    Ok(Post { id: ID(row.get(0)?), title: row.get(1)?, created_at: row.get(2)?, author_id: row.get(3)? })
}

fn json(ids: &[String]) -> String {
    serde_json::to_string(ids).expect("strings become JSON")
}
