/** The product's mark (src/design/mark.ts). */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect width="32" height="32" rx="9" />
      <path d="M10 16h13M10 16c4 0 3-6 7-6h6M10 16c4 0 3 6 7 6h3" />
      <circle cx="9.5" cy="16" r="3.5" />
    </svg>
  );
}
