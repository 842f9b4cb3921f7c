import { useId } from "preact/hooks";

interface ChoicesProps<Value extends string> {
  readonly legend: string;
  readonly options: readonly { readonly value: Value; readonly name: string; readonly help: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** Options of which one is chosen, each with a sentence that says what it means. */
export function Choices<Value extends string>({ legend, options, value, onChange }: ChoicesProps<Value>) {
  const id = useId();
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map((option) => (
        <div class="choice" key={option.value}>
          <input
            id={`${id}-${option.value}`}
            type="radio"
            name={id}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
          />
          <label for={`${id}-${option.value}`}>
            {option.name}
            <span class="hint">{option.help}</span>
          </label>
        </div>
      ))}
    </fieldset>
  );
}
