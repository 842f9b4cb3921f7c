/** Clients that one person may own. */
export const MAX_OWN_CLIENTS = 20;

/** Secrets of one client that are valid at the same time. */
export const MAX_SECRETS = 5;
