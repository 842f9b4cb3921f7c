import { VARIABLES } from "./variables.ts";

/** Headings of `.env.example`, each by the first setting of its group. */
export const HEADINGS: { readonly [N in keyof typeof VARIABLES]?: string } = {
  PORT: "Addresses",
  TRUSTED_ISSUER: "Tokens from and for others",
  DATABASE_URL: "Database",
  SECRET_KEY: "Secrets",
  OPERATOR_NAME: "Name and log",
  METRICS_TOKEN: "Monitoring",
  OTEL_EXPORTER_OTLP_ENDPOINT: "OpenTelemetry",
  TRUST_PROXY: "Proxy and browsers",
  PUBLIC_READ: "Reading without a token",
  ACCESS_TOKEN_TTL: "Lifetimes",
  MAX_BODY: "Limits of a request",
  RATE_LIMIT_TOKEN: "Rate limits",
  SMTP_URL: "Mail",
  SIGN_UP: "Accounts",
  TIME_ZONE: "Content",
  REGISTRATION: "Clients",
  MCP: "Agents",
  STUDIO: "Studio",
  SIGNED_REQUESTS: "Signed messages and proofs",
  TRUSTED_DOCUMENTS: "Trusted documents",
  WORKERS: "Processes and load",
};

/** `.env.example`: every setting with its help and default, commented out, in groups. */
export function describeEnvFile(): string {
  const settings = Object.entries(VARIABLES).flatMap(([name, { default: fallback, help }]) => {
    const heading = HEADINGS[name as keyof typeof VARIABLES];
    return [
      ...(heading === undefined ? [] : [`# ${heading}`, "# ".padEnd(heading.length + 2, "-"), ""]),
      ...wrapped(help),
      `#${name}=${fallback ?? ""}`,
      "",
    ];
  });
  return [
    "# Copy this file to .env, and take the # away before the settings that you change.",
    "# The environment counts before this file. The server and every command read it in the folder where they start.",
    "",
    ...settings,
  ].join("\n");
}

/** Columns of a comment in `.env.example`. */
const WIDTH = 100;

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`# ${word}`);
  }
  return lines;
}
