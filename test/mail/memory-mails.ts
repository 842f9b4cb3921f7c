import type { Id } from "../../src/domain/id.ts";
import type { Mail, MailStore, NewMail } from "../../src/domain/people/mail.ts";

type Row = { -readonly [Key in keyof Mail]: Mail[Key] } & { dueAt: string; claim: string | null; claimedUntil: string };

export interface MemoryMails extends Pick<MailStore, "add" | "claim" | "settle" | "backlog"> {
  readonly rows: Map<Id, Row>;
  /** How often mails were asked for. */
  readonly claims: number;
  /** Tells the listener of each added mail. */
  watch(listener: () => void): () => void;
}

/** The part of the outbox that sends, in memory. */
export function openMemoryMails(now: () => number): MemoryMails {
  const rows = new Map<Id, Row>();
  const listeners = new Set<() => void>();
  let lastClaim = 0;
  let claims = 0;
  return {
    rows,
    get claims() {
      return claims;
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async add(mail: NewMail) {
      const id = `0190a000-0000-7000-8000-${String(rows.size).padStart(12, "0")}` as Id;
      const at = new Date(now()).toISOString();
      const fresh = {
        state: "PENDING",
        attempts: 0,
        error: null,
        sentAt: null,
        claim: null,
        claimedUntil: "",
      } as const;
      rows.set(id, { ...mail, ...fresh, id, createdAt: at, dueAt: at });
      for (const listener of listeners) listener();
      return id;
    },
    async claim({ now: at, until, limit }) {
      claims++;
      const due = [...rows.values()]
        .filter((row) => row.state === "PENDING" && row.dueAt <= at && row.claimedUntil <= at)
        .slice(0, limit);
      return due.map((row) => {
        row.claim = String(++lastClaim);
        row.claimedUntil = until;
        return { ...row, claim: row.claim };
      });
    },
    async settle(id, claim, outcome, at) {
      const row = rows.get(id);
      if (row === undefined || row.claim !== claim) return;
      const isTried = outcome.state === "PENDING" ? outcome.counts : outcome.state !== "DROPPED";
      Object.assign(row, {
        state: outcome.state,
        attempts: row.attempts + (isTried ? 1 : 0),
        error: "error" in outcome ? outcome.error : null,
        sentAt: outcome.state === "SENT" ? at : null,
        dueAt: outcome.state === "PENDING" ? outcome.dueAt : row.dueAt,
        claim: null,
        claimedUntil: "",
      });
    },
    async backlog() {
      const pending = [...rows.values()].filter(({ state }) => state === "PENDING");
      return { pending: pending.length, oldest: pending[0]?.createdAt ?? null };
    },
  };
}
