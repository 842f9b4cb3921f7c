import { openProviderMetadata } from "../authorization-server/upstreams/provider-metadata.ts";
import { UpstreamDown } from "../authorization-server/upstreams/refusal.ts";
import type { Config } from "../config/config.ts";
import { loadUpstreams, type UpstreamSetting } from "../config/upstreams.ts";
import type { Finding } from "../diagnosis/finding.ts";
import { openGuardedFetch } from "../http/guarded-fetch.ts";
import type { Log } from "../observe/log.ts";

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** Whether each service of the file UPSTREAMS can be read as it describes itself; one finding a service. */
export async function checkUpstreams(config: Config, now: () => number): Promise<Finding[]> {
  const metadata = openProviderMetadata({
    fetch: openGuardedFetch({ privateHosts: config.PRIVATE_HOSTS }),
    waiting: (work) => work(),
    log: SILENT,
    now,
  });

  async function check(upstream: UpstreamSetting): Promise<Finding> {
    const [name, { issuer }] = [`upstream ${upstream.id}`, upstream];
    if (issuer === null)
      return { check: name, result: "unchecked", detail: "it does not describe itself: sign in with it once" };
    try {
      const { algorithms } = await metadata.of({ ...upstream, issuer });
      return { check: name, result: "good", detail: `${issuer} answers, and signs with ${algorithms.join(", ")}` };
    } catch (error) {
      if (!(error instanceof UpstreamDown)) throw error;
      return { check: name, result: "warning", detail: `${issuer}: ${error.reason}` };
    }
  }

  return Promise.all(loadUpstreams(config, process.env).map(check));
}
