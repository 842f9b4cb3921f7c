import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "./form.css";

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** A sentence; null or missing where nothing is wrong. */
  readonly error?: string | null | undefined;
  /** Makes the control, with these attributes. */
  readonly children: (attributes: FieldAttributes) => ComponentChildren;
}

interface FieldAttributes {
  readonly id: string;
  readonly "aria-invalid"?: true;
  readonly "aria-describedby"?: string;
}

/** A control with its label, and below it what helps, or what is wrong. Screen readers hear both with the control. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const isWrong = error !== null && error !== undefined;
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(isWrong ? [`${id}-error`] : [])].join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(isWrong && { "aria-invalid": true }),
        ...(described !== "" && { "aria-describedby": described }),
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {isWrong && (
        <p id={`${id}-error`} class="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps extends Omit<FieldProps, "children"> {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: "text" | "email" | "url";
  /** Lines of a field for several; one line unless given. */
  readonly rows?: number;
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly onBlur?: () => void;
}

export function TextField(props: TextFieldProps) {
  const { value, onInput, type = "text", rows, maxLength, placeholder, isRequired = false, onBlur, ...field } = props;
  const shared = { ...{ value, onBlur, placeholder }, maxLength, required: isRequired, autocomplete: "off" as const };
  return (
    <Field {...field}>
      {(given) =>
        rows === undefined ? (
          <input
            {...{ ...shared, ...given }}
            type={type as "text"}
            onInput={({ currentTarget }) => onInput(currentTarget.value)}
          />
        ) : (
          <textarea {...{ ...shared, ...given, rows }} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
        )
      }
    </Field>
  );
}
