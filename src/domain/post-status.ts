export const POST_STATUSES = ["DRAFT", "PUBLISHED", "ARCHIVED"] as const;

export type PostStatus = (typeof POST_STATUSES)[number];
