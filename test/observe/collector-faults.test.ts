import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Log } from "../../src/observe/log.ts";
import { OtlpQueue } from "../../src/observe/otlp-queue.ts";
import { Collector } from "../collector.ts";

const PART = '{"traceId":"1","spanId":"2","name":"n","kind":1,"flags":1,"attributes":[]}';

describe("a collector that fails", { timeout: 60_000 }, () => {
  let collector: Collector;
  const warnings: [object, string][] = [];
  const log: Log = {
    debug() {},
    info() {},
    error() {},
    warn: (fields, message) => void warnings.push([fields, message]),
  };
  before(async () => {
    collector = await Collector.open();
  });
  after(() => collector.close());

  function queue(more: Partial<ConstructorParameters<typeof OtlpQueue>[0]> = {}): OtlpQueue {
    const accept = collector.answer;
    collector.answer = accept;
    return new OtlpQueue({
      ...{ what: "spans", url: `${collector.url}/v1/traces`, headers: {}, compression: "gzip", log },
      envelope: ['{"resourceSpans":[{"resource":{"attributes":[]},"scopeSpans":[{"spans":[', "]}]}]}"],
      ...{ timeout: 5_000, delay: 10, patience: 20_000, mostQueued: 2_048, mostInBatch: 512 },
      ...more,
    });
  }
  const add = (to: OtlpQueue, count: number) => {
    for (let i = 0; i < count; i++) to.add(() => PART, 1);
  };

  test("O06 batches have 512 spans at most, and all arrive", async () => {
    const spans = queue();
    add(spans, 1_300);
    await collector.until((all) => all.length === 1_300);
    assert.ok(collector.bodies.length >= 3);
    await spans.close();
    assert.deepEqual(spans.counts, { sent: 1_300, dropped: 0 });
  });

  test("O06 one that hangs costs those who add nothing but a count, and two seconds at the end", async () => {
    const accept = collector.answer;
    collector.answer = null;
    const spans = queue();
    add(spans, 600); // a batch is on its way to it
    await new Promise((resolve) => setTimeout(resolve, 50));
    let made = 0;
    const durations: number[] = [];
    for (let i = 0; i < 5_000; i++) {
      const startedAt = performance.now();
      spans.add(() => {
        made++;
        return PART;
      }, 1);
      durations.push(performance.now() - startedAt);
    }
    const median = durations.toSorted((a, b) => a - b)[2_500] ?? 0;
    assert.ok(median < 0.1, `${median} ms`);
    assert.ok(made <= 2_048, "nothing is made of what finds no room");
    assert.ok(spans.counts.dropped >= 2_900, `${spans.counts.dropped} dropped`);
    const closing = performance.now();
    await spans.close();
    assert.ok(performance.now() - closing < 4_000);
    collector.answer = accept;
    assert.ok(warnings.some(([, message]) => /spans .* are dropped/.test(message)));
  });

  test("O06 429 is tried again after the time that it names, 400 is not", async () => {
    const accept = collector.answer;
    const before = collector.spans.length;
    let count = 0;
    collector.answer = (request, response) => {
      if (count++ === 0) {
        collector.answer = accept;
        response.writeHead(429, { "retry-after": "1" }).end();
      } else accept?.(request, response);
    };
    const spans = queue();
    add(spans, 3);
    await collector.until((all) => all.length === before + 3);
    collector.answer = (_request, response) => void response.writeHead(400).end();
    add(spans, 2);
    await spans.close();
    collector.answer = accept;
    assert.deepEqual(spans.counts, { sent: 3, dropped: 2 });
  });

  test("O06 what `partial_success` rejects is counted as dropped", async () => {
    const accept = collector.answer;
    const answer = { partialSuccess: { rejectedSpans: "2", errorMessage: "too old" } };
    collector.answer = (_request, response) => void response.writeHead(200).end(JSON.stringify(answer));
    const spans = queue();
    add(spans, 5);
    await spans.close();
    collector.answer = accept;
    assert.deepEqual(spans.counts, { sent: 3, dropped: 2 });
  });
});
