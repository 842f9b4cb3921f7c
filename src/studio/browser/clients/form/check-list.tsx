import { useId } from "preact/hooks";

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint: string | null;
  readonly isDisabled: boolean;
}

interface CheckListProps<Value extends string> {
  readonly legend: string;
  readonly hint?: string;
  readonly choices: readonly Choice<Value>[];
  readonly chosen: readonly string[];
  readonly error: string | null;
  readonly onChange: (value: Value, isIn: boolean) => void;
}

/** Several choices, of which any number may be taken. */
export function CheckList<Value extends string>({
  legend,
  hint: help,
  choices,
  chosen,
  error,
  onChange,
}: CheckListProps<Value>) {
  const id = useId();
  return (
    <fieldset class="choices" aria-describedby={error === null ? undefined : `${id}-error`}>
      <legend>{legend}</legend>
      {help !== undefined && <p class="hint">{help}</p>}
      {choices.map(({ value, label, hint, isDisabled }) => (
        <div key={value} class="choice">
          <input
            id={`${id}-${value}`}
            type="checkbox"
            checked={chosen.includes(value)}
            disabled={isDisabled}
            aria-invalid={error !== null || undefined}
            aria-describedby={hint === null ? undefined : `${id}-${value}-hint`}
            onChange={({ currentTarget }) => onChange(value, currentTarget.checked)}
          />
          <label for={`${id}-${value}`}>{label}</label>
          {hint !== null && (
            <span id={`${id}-${value}-hint`} class="muted small">
              {hint}
            </span>
          )}
        </div>
      ))}
      {error !== null && (
        <p id={`${id}-error`} class="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface CheckProps {
  readonly label: string;
  readonly hint?: string;
  readonly isChecked: boolean;
  readonly isDisabled?: boolean;
  readonly error?: string | null;
  readonly onChange: (isChecked: boolean) => void;
}

/** One thing that is so, or not. */
export function Check({ label, hint, isChecked, isDisabled = false, error = null, onChange }: CheckProps) {
  const id = useId();
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === null ? [] : [`${id}-error`])];
  return (
    <div>
      <div class="choice">
        <input
          id={id}
          type="checkbox"
          checked={isChecked}
          disabled={isDisabled}
          aria-invalid={error !== null || undefined}
          aria-describedby={described.length === 0 ? undefined : described.join(" ")}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <label for={id}>{label}</label>
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {error !== null && (
        <p id={`${id}-error`} class="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
