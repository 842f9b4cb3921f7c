/** Goes on with a value that may have to be waited for. What is there already is not made to wait for a microtask. */
export function when<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
