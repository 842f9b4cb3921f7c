/** A time zone to choose. */
export interface ZoneChoice {
  /** IANA name. */
  readonly name: string;
  readonly label: string;
}

/** Zones that come first, each once: that of the installation, the person's own, UTC. */
export function firstZones(installation: string, own: string): readonly ZoneChoice[] {
  const choices = [
    { name: installation, label: `${installation}, this site` },
    { name: own, label: `${own}, this device` },
    { name: "UTC", label: "UTC" },
  ];
  return choices.filter(({ name }, index) => choices.findIndex((other) => other.name === name) === index);
}

/** All zones that the browser knows, without those of `first`. */
export function otherZones(first: readonly ZoneChoice[]): readonly ZoneChoice[] {
  const known = new Set(first.map(({ name }) => name));
  return Intl.supportedValuesOf("timeZone")
    .filter((name) => !known.has(name))
    .map((name) => ({ name, label: name }));
}

/** The zone of this device. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
}

/** The zone, or UTC where this browser does not know it. */
export function knownZone(zone: string): string {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone;
  } catch {
    return "UTC";
  }
}
