import {
  SEALED_COLUMNS,
  type SealedTable,
  type SealedText,
  type SealedTextStore,
} from "../domain/store/sealed-texts.ts";
import type { Sealer } from "./seal.ts";

const AT_ONCE = 200;

/** The context that each text was sealed with, without which it does not open. */
const CONTEXTS: Record<SealedTable, (text: SealedText) => string> = {
  artifacts: ({ part: kind, id }) => `${kind} ${id}`,
  signing_keys: ({ id }) => `SigningKey ${id}`,
  totp_factors: ({ id }) => `TotpFactor ${id}`,
  webhooks: ({ id }) => `webhook ${id}`,
  idempotency: ({ id }) => id,
};

export interface SealedCount {
  /** Texts under the previous secret. */
  readonly outdated: number;
  /** Texts that open under neither secret. */
  readonly unreadable: number;
}

/**
 * Goes once through all texts, and seals those anew that are not under the present secret. What is written meanwhile is
 * under the present one.
 *
 * @param isOver asked before each page
 */
export async function reseal(store: SealedTextStore, sealer: Sealer, isOver: () => boolean): Promise<SealedCount> {
  return visit(store, sealer, isOver, (changed) => store.replace(changed));
}

/** Counts what `reseal` has left to do. */
export async function countOutdated(store: SealedTextStore, sealer: Sealer): Promise<SealedCount> {
  return visit(
    store,
    sealer,
    () => false,
    async () => {},
  );
}

async function visit(
  store: SealedTextStore,
  sealer: Sealer,
  isOver: () => boolean,
  act: SealedTextStore["replace"],
): Promise<SealedCount> {
  let [outdated, unreadable] = [0, 0];
  for (const table of Object.keys(SEALED_COLUMNS) as SealedTable[]) {
    let after: Parameters<SealedTextStore["page"]>[1] = null;
    do {
      if (isOver()) return { outdated, unreadable };
      const { texts, last } = await store.page(table, after, AT_ONCE);
      const changed = [];
      for (const text of texts) {
        if (sealer.isCurrent(text.sealed)) continue;
        const context = CONTEXTS[table](text);
        const plain = sealer.open(text.sealed, context);
        if (plain === null) unreadable++;
        else changed.push({ text, sealed: sealer.seal(plain, context) });
      }
      outdated += changed.length;
      await act(changed);
      after = last;
    } while (after !== null);
  }
  return { outdated, unreadable };
}
