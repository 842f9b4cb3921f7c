/** Advice for each check that found something, by the name of the check. */
export const ADVICE: Readonly<Record<string, string>> = {
  database: "Look at the load of the database and at its disk.",
  migrations:
    "Upgrade the servers that run the older version. Then restart one, or run `content-api upgrade --finish`.",
  nodes: "Upgrade the servers that run the older version.",
  replica: "Check that the replica runs, and that it follows DATABASE_URL.",
  "scheduled posts": "Restart the server. If posts stay late, read its log.",
  events:
    "Restart the server. If calls stay late, look at the receivers on the page Webhooks of the studio, or under `webhookDeliveries`.",
  webhooks:
    "Repair the receiver. Then enable the webhook, or send its failed deliveries again, on the page Webhooks of the studio, or with `content-api webhook`.",
  "mail outbox":
    "Check SMTP_URL and the mail server. Send a test mail on the page Mails of the studio, or run `content-api doctor`.",
  keys: "Put back SECRET_KEY, or the file secret.key, that the keys were made with.",
  secret: "Set SECRET_KEY, or make secret.key readable for its owner only.",
  "previous secret": "Wait until a running server has encrypted everything again, then remove SECRET_KEY_PREVIOUS.",
  BASE_URL: "Correct BASE_URL in the environment or in `.env`, and restart the server.",
  AUTH_URL: "Correct AUTH_URL in the environment or in `.env`, and restart the server.",
  clock: "Set the clock of this machine, and keep it right with NTP.",
  "clock of the database": "Set the clocks of this machine and of the database's machine with NTP.",
  disk: "Free space on this disk, or move the database to a larger one.",
  backup: "Make a backup with `content-api backup FILE`.",
  memory: "Restart the server, and give it more memory with NODE_OPTIONS=--max-old-space-size.",
};
