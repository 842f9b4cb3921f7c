import { constants, createHistogram, PerformanceObserver } from "node:perf_hooks";
import type { Metrics } from "./metrics.ts";

/** Milliseconds between two looks at the event loop. What it is late by is the delay. */
const RESOLUTION = 20;
/** Milliseconds between two looks at the clock, and by how many it may differ from the time that has passed. */
const CLOCK = { every: 1_000, tolerance: 1_000 } as const;

/** Kinds of collections by V8's own numbers. */
const GC_KINDS = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, "major"],
  [constants.NODE_PERFORMANCE_GC_MINOR, "minor"],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, "incremental"],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, "weakcb"],
] as const);

/** Observes the process: processor, memory, event loop, garbage collections and clock. @returns how to end it */
export function observeProcess(metrics: Metrics): () => void {
  const cpu = metrics.counter("process_cpu_seconds_total");
  const readCpu = () => {
    const { user, system } = process.cpuUsage();
    cpu.reach((user + system) / 1e6);
  };
  const startedAt = Date.now() / 1000 - process.uptime();
  metrics.gauge("process_resident_memory_bytes", () => {
    readCpu(); // on the same page
    return process.memoryUsage.rss();
  });
  metrics.gauge("nodejs_heap_size_used_bytes", () => process.memoryUsage().heapUsed);
  metrics.gauge("process_start_time_seconds", () => startedAt);
  const ends = [observeEventLoop(metrics), observeCollections(metrics), observeClock(metrics)];
  return () => {
    for (const end of ends) end();
  };
}

/** Node's own monitor misses what comes just after it is reset. */
function observeEventLoop(metrics: Metrics): () => void {
  const delays = createHistogram();
  let lookedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    delays.record(Math.max(1, Math.round((now - lookedAt - RESOLUTION) * 1e6)));
    lookedAt = now;
  }, RESOLUTION).unref();
  const seconds = (nanoseconds: number) => (delays.count === 0 ? 0 : nanoseconds / 1e9);
  metrics.gauge("nodejs_eventloop_delay_seconds", () => seconds(delays.percentile(50)), "p50");
  metrics.gauge("nodejs_eventloop_delay_seconds", () => seconds(delays.percentile(99)), "p99");
  metrics.gauge(
    "nodejs_eventloop_delay_seconds",
    () => {
      const longest = seconds(delays.max);
      delays.reset();
      return longest;
    },
    "max",
  );
  return () => clearInterval(timer);
}

function observeCollections(metrics: Metrics): () => void {
  const counters = new Map(
    Array.from(GC_KINDS, ([kind, name]) => [kind, metrics.counter("nodejs_gc_seconds_total", name)]),
  );
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = (entry as PerformanceEntry & { readonly detail: { readonly kind: number } }).detail;
      counters.get(kind)?.add(entry.duration / 1e3);
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  return () => observer.disconnect();
}

function observeClock(metrics: Metrics): () => void {
  const jumps = metrics.counter("clock_jumps_total");
  const difference = () => Date.now() - performance.now();
  let known = difference();
  const timer = setInterval(() => {
    const now = difference();
    if (Math.abs(now - known) > CLOCK.tolerance) jumps.add();
    known = now;
  }, CLOCK.every).unref();
  return () => clearInterval(timer);
}
