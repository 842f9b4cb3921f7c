/** URL path of a page of the studio, for links. The server writes the studio's own path into the page. */
export function href(path: string): string {
  return (document.documentElement.dataset.base ?? "/studio") + path;
}

/** The id in the path of a page. */
export function idIn(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // nothing has such an id
  }
}
