import type { IconName } from "../frame/icon.tsx";
import type { OpenStudio } from "./program/start.ts";

/** A page that the navigation and the palette lead to. */
export interface NavigationEntry {
  readonly name: string;
  /** Below `/studio`. */
  readonly path: string;
  readonly icon: IconName;
}

interface NavigationGroup {
  /** null for the first, which needs none. */
  readonly title: string | null;
  readonly entries: readonly NavigationEntry[];
}

const WRITING: readonly NavigationEntry[] = [
  { name: "Posts", path: "/posts", icon: "posts" },
  { name: "On this device", path: "/device", icon: "device" },
];

const DEVELOPERS: readonly NavigationEntry[] = [{ name: "Your clients", path: "/developers", icon: "code" }];

const ADMINISTRATION: readonly NavigationEntry[] = [
  { name: "People", path: "/people", icon: "people" },
  { name: "Clients", path: "/clients", icon: "key" },
  { name: "Agents", path: "/agents", icon: "agent" },
  { name: "Webhooks", path: "/webhooks", icon: "webhook" },
  { name: "Audit", path: "/audit", icon: "list" },
  { name: "Health", path: "/health", icon: "health" },
  { name: "Mails", path: "/mails", icon: "mail" },
  { name: "Settings", path: "/settings", icon: "settings" },
];

/** Pages that the person may open. */
export function navigationGroups({
  person,
  server,
}: Pick<OpenStudio, "person" | "server">): readonly NavigationGroup[] {
  return [
    { title: null, entries: WRITING },
    ...(server.value.clientsBy === "PEOPLE" ? [{ title: "Developers", entries: DEVELOPERS }] : []),
    ...(person.value.role === "ADMIN" ? [{ title: "Administration", entries: ADMINISTRATION }] : []),
  ];
}

/** Whether the page at this path belongs to the entry. */
export function isWithin(path: string, entry: NavigationEntry): boolean {
  return path === entry.path || path.startsWith(`${entry.path}/`) || (entry.path === "/posts" && path === "/");
}
