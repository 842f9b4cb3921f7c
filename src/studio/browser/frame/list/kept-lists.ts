/** Lists of one API that were left, newest last, so that Back shows their rows immediately. */
export class KeptLists<Api extends object, Key, List> {
  readonly #lists = new WeakMap<Api, Map<string, List>>();
  readonly #open: (api: Api, key: Key) => List;
  readonly #most: number;

  /** @param most lists that are kept */
  constructor(open: (api: Api, key: Key) => List, most = 4) {
    this.#open = open;
    this.#most = most;
  }

  /** The list of this key, as it was left, or a new one. */
  at(api: Api, key: Key): List {
    const lists = this.#lists.get(api) ?? new Map<string, List>();
    this.#lists.set(api, lists);
    const name = JSON.stringify(key);
    const list = lists.get(name) ?? this.#open(api, key);
    lists.delete(name);
    lists.set(name, list);
    for (const oldest of lists.keys()) {
      if (lists.size <= this.#most) break;
      lists.delete(oldest);
    }
    return list;
  }
}
