import { createHash } from "node:crypto";
import type { Config } from "../config/config.ts";
import { POST_FIELDS } from "../domain/reading/stored-fields.ts";
import type { ServerInfo } from "../graphql/execution/objects.ts";
import { programVersion } from "./program-version.ts";

/** `ServerInfo` of the schema, from the settings. */
export function serverInfoOf(config: Config): ServerInfo {
  const version = programVersion();
  const facts = {
    operatorName: config.OPERATOR_NAME,
    maxRequestBytes: config.MAX_BODY,
    maxTitleLength: POST_FIELDS.title.length.max,
    maxBodyLength: POST_FIELDS.body.length.max,
    postUrl: config.POST_URL,
    revisionDays: config.REVISION_DAYS,
    deletedDays: config.DELETED_DAYS,
    clientsBy: config.CLIENTS_BY.toUpperCase(),
  };
  let build: string | undefined;
  return {
    ...facts,
    // Both when they are first asked for: see TIME_ZONE in config.ts.
    get timeZone() {
      return config.TIME_ZONE;
    },
    get build() {
      build ??= createHash("sha256")
        .update(JSON.stringify([version, facts, config.TIME_ZONE]))
        .digest("base64url")
        .slice(0, 12);
      return build;
    },
  };
}
