import { Icon } from "../frame/icon.tsx";
import "./operation.css";

interface StateMarkProps {
  readonly tone: "good" | "danger" | "muted";
  readonly children: string;
}

/** A state in a word, with a sign where it is good or bad. */
export function StateMark({ tone, children }: StateMarkProps) {
  return (
    <span class={`state-mark ${tone}`}>
      {tone !== "muted" && <Icon name={tone === "good" ? "check" : "warning"} />}
      {children}
    </span>
  );
}
