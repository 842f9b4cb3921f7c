import { Icon } from "../frame/icon.tsx";
import "./operation.css";

interface StateMarkProps {
  /** `warns` is for what can wait. */
  readonly tone: "good" | "warns" | "danger" | "muted";
  readonly children: string;
}

/** A state in a word, with a sign unless it is muted. */
export function StateMark({ tone, children }: StateMarkProps) {
  return (
    <span class={`state-mark ${tone}`}>
      {tone !== "muted" && <Icon name={tone === "good" ? "check" : "warning"} />}
      {children}
    </span>
  );
}
