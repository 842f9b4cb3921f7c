import type { ComponentChildren } from "preact";
import { href } from "./href.ts";
import { Icon } from "./icon.tsx";

interface BackLinkProps {
  /** Path below the studio's. */
  readonly to: string;
  readonly children: ComponentChildren;
}

/** The way up from a page, above its heading. */
export function BackLink({ to, children }: BackLinkProps) {
  return (
    <a class="button quiet back-link" href={href(to)}>
      <Icon name="back" /> <span dir="auto">{children}</span>
    </a>
  );
}
