import { signal } from "@preact/signals";
import { Icon } from "./icon.tsx";
import "./notices.css";

interface Notice {
  readonly id: number;
  readonly message: string;
  readonly undo?: { readonly label: string; run(): void | Promise<void> };
}

/** More than this stand in the way; the oldest go. */
const MOST = 3;

const notices = signal<readonly Notice[]>([]);
let last = 0;

/** Shows a sentence until it is read: it stays until the person closes it or others push it away. */
export function notify(message: string, undo?: Notice["undo"]): void {
  last += 1;
  const notice = { id: last, message, ...(undo !== undefined && { undo }) };
  notices.value = [...notices.value.filter((other) => other.message !== message), notice].slice(-MOST);
}

/** The place of notices. F6 goes there, because they come without taking the focus. */
export function Notices() {
  const close = (id: number) => {
    notices.value = notices.value.filter((notice) => notice.id !== id);
  };
  return (
    <section class="notices" aria-label="Notices" tabIndex={-1} data-region>
      <div role="status">
        {notices.value.map(({ id, message, undo }) => (
          <div class="notice" key={id}>
            <p>{message}</p>
            {undo !== undefined && (
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  close(id);
                  void undo.run();
                }}
              >
                {undo.label}
              </button>
            )}
            <button type="button" class="quiet icon-button" aria-label="Close notice" onClick={() => close(id)}>
              <Icon name="close" />
            </button>
          </div>
        ))}
      </div>
    </section>
  );
}
