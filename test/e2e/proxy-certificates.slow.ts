import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openReadCertificate } from "../../src/http/client-certificate.ts";
import { freePort } from "../port.ts";
import { lacksProxy, PROXIES, type ProxyKind, replaceAll, startProxy } from "../proxies.ts";
import { makeCertificate } from "../security/certificates.ts";

/** The comments of each file about mutual TLS, for CLIENT_CERTIFICATES=any, as lines that count. */
function withCertificates(kind: ProxyKind, authority: string): (example: string) => string {
  const lines: Readonly<Record<ProxyKind, Readonly<Record<string, string>>>> = {
    nginx: {
      'proxy_set_header Client-Cert "";': "#",
      "#   ssl_verify_client optional; # with CLIENT_CERTIFICATES=any: optional_no_ca":
        "ssl_verify_client optional_no_ca; #",
      "#   proxy_set_header Client-Cert": "proxy_set_header Client-Cert",
    },
    haproxy: {
      "alpn h2,http/1.1\n": `alpn h2,http/1.1 verify optional ca-file ${authority} crt-ignore-err all ca-ignore-err all\n`,
      "#   http-request set-header Client-Cert": "http-request set-header Client-Cert",
    },
    caddy: {
      "\t#   tls {": "\ttls {",
      "#       client_auth {": "client_auth {",
      "#           mode request": "mode request",
      "#       }": "}",
      "#   }\n": "}\n",
      "#   header_up Client-Cert": "header_up Client-Cert",
      "header_up -Client-Cert": "",
    },
  };
  return (example) => replaceAll(example, lines[kind]);
}

for (const kind of PROXIES)
  test(`${kind} passes on the certificate whose key a client has proved, and no other`, {
    skip: lacksProxy(kind),
  }, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "content-api-"));
    t.after(() => rm(folder, { recursive: true }));
    const own = makeCertificate(folder, "client", "/CN=client", "DNS:client.example.com");
    const key = await readFile(join(folder, "key.pem"));
    const read = openReadCertificate({ CLIENT_CERTIFICATES: "any", TRUST_PROXY: ["127.0.0.1"] });
    const node = createServer((incoming, outgoing) => {
      outgoing.end(read(incoming)?.fingerprint256 ?? "none");
    });
    const port = await freePort();
    node.listen(port, "127.0.0.1");
    t.after(() => node.close().closeAllConnections());

    const ask = (url: string, agent: Agent, headers: Record<string, string>) =>
      new Promise<string>((resolve, reject) => {
        const outgoing = request(url, { agent, headers, family: 4 }, (incoming) => {
          let text = "";
          incoming.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          incoming.on("end", () => resolve(text));
        });
        outgoing.on("error", reject).end();
      });

    for (const isOn of [true, false]) {
      const change = isOn ? withCertificates(kind, own.file) : undefined;
      const proxy = await startProxy(kind, await freePort(), [port, port], undefined, change);
      const [proved, silent] = [new Agent({ cert: await readFile(own.file), key }), new Agent()];
      try {
        assert.equal(await ask(proxy.url, proved, {}), isOn ? own.certificate.fingerprint256 : "none");
        assert.equal(await ask(proxy.url, silent, {}), "none");
        const other = makeCertificate(folder, "other", "/CN=other", "DNS:other.example.com");
        assert.equal(await ask(proxy.url, silent, other.header), "none", "Client-Cert of a client counts nothing");
      } finally {
        proved.destroy();
        silent.destroy();
        await proxy.stop();
      }
    }
  });
