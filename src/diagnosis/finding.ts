/** `unchecked`: the program cannot see it, so somebody else has to. */
export type Finding = { check: string; result: "good" | "warning" | "wrong" | "unchecked"; detail: string };

type FindingOf = (check: string, detail: string) => Finding;

export const good: FindingOf = (check, detail) => ({ check, result: "good", detail });
export const warning: FindingOf = (check, detail) => ({ check, result: "warning", detail });
export const wrong: FindingOf = (check, detail) => ({ check, result: "wrong", detail });

const MIB = 1_048_576;

/** Bytes as people read them. */
export function showSize(bytes: number): string {
  if (bytes < MIB) return `${Math.ceil(bytes / 1_024)} KiB`;
  return bytes < 1_024 * MIB ? `${Math.round(bytes / MIB)} MiB` : `${Math.round(bytes / 1_024 / MIB)} GiB`;
}
