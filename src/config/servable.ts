import { existsSync } from "node:fs";
import { type Config, ConfigError } from "./config.ts";
import { loadSecret, secretPath } from "./installation-secret.ts";
import { isPrivate } from "./loopback.ts";
import { mailMode } from "./mail-mode.ts";

/**
 * Refuses settings with which a server would half work, before anything is made or migrated.
 *
 * @throws ConfigError naming the variable
 */
export function assertServable(config: Config): void {
  for (const name of ["BASE_URL", "AUTH_URL"] as const) {
    if (!isPrivate(config[name]))
      throw new ConfigError(
        `${name} must be an https address: tokens would travel in the open (RFC 6749 section 3.1.2.1). Plain http is for this machine alone, such as http://localhost:4000; behind a proxy that ends TLS it is the proxy's address.`,
      );
  }
  const { origin, pathname } = new URL(config.BASE_URL);
  if (pathname !== "/")
    throw new ConfigError(
      `BASE_URL must have no path: the API is answered at ${origin}/graphql and its metadata at ${origin}/.well-known. Give it a host name of its own, such as https://api.example.com, and let the proxy pass every path on as it is.`,
    );
  if (config.TRUSTED_DOCUMENTS_ONLY && config.TRUSTED_DOCUMENTS === null)
    throw new ConfigError("TRUSTED_DOCUMENTS_ONLY needs the folder TRUSTED_DOCUMENTS: nothing would be answered.");
  if (config.CLIENT_CERTIFICATES !== "off" && config.TRUST_PROXY === false)
    throw new ConfigError(
      "CLIENT_CERTIFICATES needs TRUST_PROXY, the addresses of the proxy that ends TLS: nobody else is believed about certificates.",
    );
  if (config.REGISTRATION === "token" && config.REGISTRATION_TOKEN === null)
    throw new ConfigError("REGISTRATION=token needs REGISTRATION_TOKEN.");
  if (config.PREVIEW_URL !== null && !isPrivate(config.PREVIEW_URL))
    throw new ConfigError(
      "PREVIEW_URL must be an https URL: whoever reads the token on its way can read the draft. Plain http is for this machine alone.",
    );
  assertCollector(config);
  assertMail(config);
  const path = secretPath(config);
  if (path === null || existsSync(path)) loadSecret(config);
}

function assertCollector(config: Config): void {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT !== null) return;
  if (config.OTEL_LOGS_EXPORTER === "otlp")
    throw new ConfigError("OTEL_LOGS_EXPORTER=otlp needs OTEL_EXPORTER_OTLP_ENDPOINT, the URL of the collector.");
  if (config.OTEL_METRICS_EXPORTER === "otlp" && config.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT === null)
    throw new ConfigError(
      "OTEL_METRICS_EXPORTER=otlp needs OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_METRICS_ENDPOINT, the URL of the collector.",
    );
}

function assertMail(config: Config): void {
  if (config.SMTP_URL !== null && config.MAIL_FROM === null)
    throw new ConfigError("SMTP_URL needs MAIL_FROM, the sender of mails, such as Example <accounts@example.com>.");
  if (config.SIGN_UP === "open" && mailMode(config) === "none")
    throw new ConfigError(
      "SIGN_UP=open needs SMTP_URL: an account is created only after its person has read a mail at the address.",
    );
}
