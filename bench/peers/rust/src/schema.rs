//! The slice of our schema that the scenarios touch.

use async_graphql::{ComplexObject, Context, ID, Object, Result, SimpleObject, dataloader::DataLoader};

use crate::database::{self, Authors, PostsByAuthor};

#[derive(Clone, SimpleObject)]
#[graphql(complex)]
pub struct User {
    pub id: ID,
    pub name: String,
    pub email: String,
}

#[ComplexObject]
impl User {
    async fn posts(&self, context: &Context<'_>) -> Result<Vec<Post>> {
        let posts = context.data_unchecked::<DataLoader<PostsByAuthor>>();
        Ok(posts.load_one(self.id.0.clone()).await?.unwrap_or_default())
    }
}

#[derive(Clone, SimpleObject)]
#[graphql(complex)]
pub struct Post {
    pub id: ID,
    pub title: String,
    pub created_at: String,
    #[graphql(skip)]
    pub author_id: String,
}

#[ComplexObject]
impl Post {
    async fn author(&self, context: &Context<'_>) -> Result<User> {
        let authors = context.data_unchecked::<DataLoader<Authors>>();
        authors.load_one(self.author_id.clone()).await?.ok_or_else(|| "A post has no author.".into())
    }
}

pub struct Query;

#[Object]
impl Query {
    async fn user(&self, id: ID) -> Result<Option<User>> {
        Ok(database::find_user(&id)?)
    }

    async fn posts(&self, #[graphql(default = 100)] first: u32) -> Result<Vec<Post>> {
        Ok(database::list_posts(first)?)
    }
}
