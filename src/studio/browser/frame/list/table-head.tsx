interface TableHeadProps {
  readonly columns: readonly string[];
  /** Name of a last column of buttons, which only screen readers hear. */
  readonly actions?: string;
}

/** The names of the columns of a table that nobody sorts. */
export function TableHead({ columns, actions }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {columns.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
        {actions !== undefined && (
          <th scope="col">
            <span class="visually-hidden">{actions}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
