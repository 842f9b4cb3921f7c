/** Schemes of addresses that the HTML of a body may link, and load pictures from. */
export const LINKED_SCHEMES: readonly string[] = ["http", "https", "mailto"];

/** Whether the HTML of a body keeps an address. One without a scheme is on the same host, unless it begins with two slashes. */
export function isLinkedAddress(address: string): boolean {
  const [, scheme] = /^([a-z][a-z\d.+-]*):/i.exec(address.trim()) ?? [];
  return scheme === undefined ? !/^[/\\]{2}/.test(address.trim()) : LINKED_SCHEMES.includes(scheme.toLowerCase());
}
