import "./list.css";

/** Shown after a moment only, by its style. */
export function SkeletonRows() {
  return (
    <div class="skeleton-rows" aria-hidden="true">
      {[70, 45, 60, 38, 52].map((width) => (
        <span key={width} style={{ inlineSize: `${width}%` }} />
      ))}
    </div>
  );
}
