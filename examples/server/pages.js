/** @param {{ name: string, posts: { title: string, createdAt: string }[] } | null} person null when signed out */
export function homePage(person) {
  if (person === null)
    return page("Your posts", '<p>Read and write your posts.</p><p><a href="/sign-in">Sign in</a></p>');
  const posts = person.posts.map(
    (post) => `<li>${escapeHtml(post.title)} <small>${escapeHtml(post.createdAt.slice(0, 10))}</small></li>`,
  );
  return page(
    "Your posts",
    `<p>Signed in as <strong id="person">${escapeHtml(person.name)}</strong></p>
<form method="post" action="/sign-out"><button type="submit">Sign out</button></form>
<form method="post" action="/posts">
<label>Title <input name="title" required maxlength="300"></label>
<label>Text <textarea name="body" rows="4" required></textarea></label>
<button type="submit">Publish</button>
</form>
<ul id="posts">${posts.join("")}</ul>`,
  );
}

/** @param {string} text what happened */
export function errorPage(text) {
  return page("Something is wrong", `<p role="alert">${escapeHtml(text)}</p><p><a href="/">Back to the start</a></p>`);
}

function page(title, body) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · a server client</title>
<link rel="icon" href="data:,">
<style>
body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
input, textarea { display: block; box-sizing: border-box; width: 100%; margin-bottom: .75rem; padding: .5rem; font: inherit; }
button { min-height: 44px; padding: 0 1rem; font: inherit; }
form { margin-bottom: 1.5rem; }
</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`;
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}
