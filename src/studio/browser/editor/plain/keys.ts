import { answersKey, COMMANDS, type Command, isApple } from "../text/commands.ts";
import type { Passage } from "../text/marks.ts";

type KeyPress = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** The command of a key in the plain editor; null where the browser answers it. */
export function commandFor(event: KeyPress, passage: Passage, apple = isApple()): Command | "undo" | "redo" | null {
  const isMod = apple ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (!isMod) return null;
  const key = event.key.toLowerCase();
  if (!event.altKey && key === "z") return event.shiftKey ? "redo" : "undo";
  if (!event.altKey && !event.shiftKey && key === "y" && !apple) return "redo";
  for (const command of Object.values(COMMANDS)) {
    if (command.key !== null && isPressed(command.key, event) && answersKey(command, passage)) return command;
  }
  return null;
}

/** Digits go by the key itself: with Shift or Alt held they are other characters, which differ by keyboard. */
function isPressed(name: string, event: KeyPress): boolean {
  const parts = name.split("-");
  const key = parts.pop() ?? "";
  if (parts.includes("Alt") !== event.altKey || parts.includes("Shift") !== event.shiftKey) return false;
  return /^\d$/.test(key) ? event.code === `Digit${key}` : event.key.toLowerCase() === key;
}
