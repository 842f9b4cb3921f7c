import { useId } from "preact/hooks";
import { KINDS, type Kind } from "../facts/kinds.ts";

interface KindChoiceProps {
  readonly kind: Kind | null;
  readonly onChoose: (kind: Kind) => void;
}

/** The question that decides the rest. */
export function KindChoice({ kind, onChoose }: KindChoiceProps) {
  const id = useId();
  return (
    <fieldset>
      <legend>What are you building?</legend>
      <div class="kinds">
        {KINDS.map((one) => (
          <label key={one.name} class="kind" for={`${id}-${one.name}`}>
            <input
              type="radio"
              id={`${id}-${one.name}`}
              name={id}
              checked={kind === one}
              onChange={() => onChoose(one)}
            />
            <span>
              <strong>{one.words}</strong>
              <span class="hint">{one.help}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
