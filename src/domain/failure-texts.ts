/** The server is overloaded, or its database cannot be reached: what pages tell people. */
export const BUSY = {
  title: "Too busy at this moment",
  message: "Nothing was lost. Please try again shortly.",
} as const;

/** The server failed: what pages tell people. The page shows the request id below. */
export const FAILED = {
  title: "Something failed on our side",
  message: "Try again in a moment. If this continues, tell the operator the request id below.",
} as const;
