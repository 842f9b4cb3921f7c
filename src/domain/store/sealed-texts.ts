/** The tables with encrypted texts, and the columns that hold them. */
export const SEALED_COLUMNS = {
  artifacts: ["payload"],
  signing_keys: ["private_key"],
  totp_factors: ["secret"],
  webhooks: ["secret", "previous_secret"],
  idempotency: ["answer"],
} as const;

export type SealedTable = keyof typeof SEALED_COLUMNS;

/** Key of a row: its id and, where that is not unique, what tells it from others (`kind` of artifacts, `field` of answers). */
export interface SealedKey {
  readonly id: string;
  readonly part: string;
}

export interface SealedText extends SealedKey {
  readonly table: SealedTable;
  readonly column: string;
  readonly sealed: string;
}

/** Every text that is encrypted under the installation's secret, for a change of that secret. */
export interface SealedTextStore {
  /**
   * The texts of the next rows in the order of their keys.
   *
   * @param after the last row of the page before; null for the first page
   * @returns the texts, and the last row; null after the last page
   */
  page(
    table: SealedTable,
    after: SealedKey | null,
    limit: number,
  ): Promise<{ readonly texts: readonly SealedText[]; readonly last: SealedKey | null }>;
  /** Puts other texts in the place of these, all in one transaction. A text that changed meanwhile stays. */
  replace(texts: readonly { readonly text: SealedText; readonly sealed: string }[]): Promise<void>;
}
