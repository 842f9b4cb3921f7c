// Written by bin/studio-documents.js from the .graphql files beside it (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";

export interface CreateOwnClientInput {
  readonly name: string;
  readonly type?: ("PUBLIC" | "CONFIDENTIAL");
  readonly redirectUris?: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
  readonly backchannelLogoutUri?: string | null;
  readonly grantTypes?: readonly ("AUTHORIZATION_CODE" | "REFRESH_TOKEN" | "CLIENT_CREDENTIALS" | "DEVICE_CODE")[] | null;
  readonly scopes?: readonly string[] | null;
  readonly dpopBound?: boolean;
  readonly idTokenAlgorithm?: ("ES256" | "RS256");
  readonly jwks?: string | null;
  readonly jwksUri?: string | null;
  readonly assertionAlgorithm?: ("ES256" | "PS256" | "EdDSA" | "RS256") | null;
  readonly mustPush?: boolean;
  readonly mustSign?: boolean;
}

export interface UpdateOwnClientInput {
  readonly name?: string | null;
  readonly redirectUris?: readonly string[] | null;
  readonly postLogoutRedirectUris?: readonly string[] | null;
  readonly backchannelLogoutUri?: string | null;
  readonly grantTypes?: readonly ("AUTHORIZATION_CODE" | "REFRESH_TOKEN" | "CLIENT_CREDENTIALS" | "DEVICE_CODE")[] | null;
  readonly scopes?: readonly string[] | null;
  readonly dpopBound?: boolean | null;
  readonly idTokenAlgorithm?: ("ES256" | "RS256") | null;
  readonly jwks?: string | null;
  readonly jwksUri?: string | null;
  readonly assertionAlgorithm?: ("ES256" | "PS256" | "EdDSA" | "RS256") | null;
  readonly mustPush?: boolean | null;
  readonly mustSign?: boolean | null;
}

export interface PostFilter {
  readonly author?: string | null;
  readonly status?: readonly ("DRAFT" | "PUBLISHED" | "ARCHIVED")[] | null;
  readonly createdAt?: TimeRange | null;
  readonly updatedAt?: TimeRange | null;
  readonly isScheduled?: boolean | null;
  readonly publishAt?: TimeRange | null;
  readonly hasWorkingCopy?: boolean | null;
  readonly search?: string | null;
}

export interface PostOrder {
  readonly field: ("CREATED_AT" | "UPDATED_AT" | "PUBLISHED_AT" | "PUBLISH_AT" | "TITLE" | "RELEVANCE");
  readonly direction?: ("ASC" | "DESC");
}

export interface WorkingCopyInput {
  readonly title?: string | null;
  readonly body?: string | null;
  readonly slug?: string | null;
  readonly excerpt?: string | null;
}

export interface TimeRange {
  readonly from?: string | null;
  readonly until?: string | null;
}

export interface Changed {
  readonly post: {
    readonly id: string;
    readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
    readonly version: number;
  } | null;
  readonly errors: readonly Refusal[];
}

export interface Deleted {
  readonly deletedId: string | null;
  readonly errors: readonly Refusal[];
}

export interface OwnClientFacts {
  readonly id: string;
  readonly name: string;
  readonly type: ("PUBLIC" | "CONFIDENTIAL");
  readonly hasSecret: boolean;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly backchannelLogoutUri: string | null;
  readonly grantTypes: readonly ("AUTHORIZATION_CODE" | "REFRESH_TOKEN" | "CLIENT_CREDENTIALS" | "DEVICE_CODE")[];
  readonly scopes: readonly string[];
  readonly dpopBound: boolean;
  readonly idTokenAlgorithm: ("ES256" | "RS256");
  readonly jwks: string | null;
  readonly jwksUri: string | null;
  readonly mustPush: boolean;
  readonly mustSign: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly disabledAt: string | null;
  readonly disabledByOwner: boolean;
  readonly secrets: readonly {
    readonly id: string;
    readonly hint: string | null;
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
    readonly endedAt: string | null;
  }[];
}

export interface ChangedOwnClient {
  readonly client: OwnClientFacts | null;
  readonly errors: readonly Refusal[];
}

export interface MadeOwnSecret {
  readonly client: OwnClientFacts | null;
  readonly clientSecret: string | null;
  readonly errors: readonly Refusal[];
}

export interface PostRow {
  readonly id: string;
  readonly title: string;
  readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
  readonly version: number;
  readonly wordCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt: string | null;
  readonly publishAt: string | null;
  readonly publishAtZone: string | null;
  readonly plannedUpdate: {
    readonly publishAt: string;
    readonly heldBecause: ("POST_CHANGED" | "SLUG_TAKEN") | null;
  } | null;
  readonly viewerCanUpdate: boolean;
  readonly workingCopy: {
    readonly title: string;
    readonly version: number;
    readonly updatedAt: string;
  } | null;
  readonly author: {
    readonly id: string;
    readonly name: string;
  };
}

export type PublishingTexts = (FactsOfPost & {
  readonly title: string;
  readonly body: string;
  readonly excerpt: string;
});

export interface PublishingCopy {
  readonly title: string;
  readonly body: string;
  readonly slug: string | null;
  readonly excerpt: string | null;
  readonly version: number;
  readonly baseVersion: number;
}

export type PostWithCopy = (PublishingTexts & {
  readonly workingCopy: PublishingCopy | null;
});

export interface PublishedText {
  readonly post: PostWithCopy | null;
  readonly errors: readonly Refusal[];
}

export interface LinkOfPost {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
  readonly revision: string | null;
  readonly createdBy: {
    readonly name: string;
  } | null;
}

export interface HistoryEntry {
  readonly id: string;
  readonly version: number;
  readonly kind: ("CREATED" | "APPLIED" | "PUBLISHED" | "UNPUBLISHED" | "ARCHIVED" | "SCHEDULED" | "RESTORED" | "MERGED");
  readonly createdAt: string;
  readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
  readonly title: string | null;
  readonly name: string | null;
  readonly clientId: string | null;
  readonly person: {
    readonly name: string;
  } | null;
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
}

export interface FactsOfPost {
  readonly id: string;
  readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
  readonly version: number;
  readonly slug: string;
  readonly url: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt: string | null;
  readonly publishAt: string | null;
  readonly publishAtZone: string | null;
  readonly plannedUpdate: {
    readonly publishAt: string;
    readonly publishAtZone: string | null;
    readonly heldBecause: ("POST_CHANGED" | "SLUG_TAKEN") | null;
    readonly workingVersion: number;
    readonly baseVersion: number;
  } | null;
  readonly author: {
    readonly name: string;
  };
}

export interface PublishPostsData {
  readonly p0?: Changed | null;
  readonly p1?: Changed | null;
  readonly p2?: Changed | null;
  readonly p3?: Changed | null;
  readonly p4?: Changed | null;
  readonly p5?: Changed | null;
  readonly p6?: Changed | null;
  readonly p7?: Changed | null;
  readonly p8?: Changed | null;
  readonly p9?: Changed | null;
  readonly p10?: Changed | null;
  readonly p11?: Changed | null;
  readonly p12?: Changed | null;
  readonly p13?: Changed | null;
  readonly p14?: Changed | null;
  readonly p15?: Changed | null;
  readonly p16?: Changed | null;
  readonly p17?: Changed | null;
  readonly p18?: Changed | null;
  readonly p19?: Changed | null;
}

export interface PublishPostsVariables {
  readonly [name: `id${number}`]: string;
  readonly [name: `version${number}`]: number;
  readonly [name: `on${number}`]: boolean;
  readonly [name: `working${number}`]: number;
}

export const PublishPosts: StudioDocument<PublishPostsData, PublishPostsVariables> = {
  text: "fragment Changed on PostPayload{post{id status version}errors{...Refusal}}mutation PublishPosts($id0:ID!=\"\"$version0:Int!=0$on0:Boolean!=false$working0:Int!=0$id1:ID!=\"\"$version1:Int!=0$on1:Boolean!=false$working1:Int!=0$id2:ID!=\"\"$version2:Int!=0$on2:Boolean!=false$working2:Int!=0$id3:ID!=\"\"$version3:Int!=0$on3:Boolean!=false$working3:Int!=0$id4:ID!=\"\"$version4:Int!=0$on4:Boolean!=false$working4:Int!=0$id5:ID!=\"\"$version5:Int!=0$on5:Boolean!=false$working5:Int!=0$id6:ID!=\"\"$version6:Int!=0$on6:Boolean!=false$working6:Int!=0$id7:ID!=\"\"$version7:Int!=0$on7:Boolean!=false$working7:Int!=0$id8:ID!=\"\"$version8:Int!=0$on8:Boolean!=false$working8:Int!=0$id9:ID!=\"\"$version9:Int!=0$on9:Boolean!=false$working9:Int!=0$id10:ID!=\"\"$version10:Int!=0$on10:Boolean!=false$working10:Int!=0$id11:ID!=\"\"$version11:Int!=0$on11:Boolean!=false$working11:Int!=0$id12:ID!=\"\"$version12:Int!=0$on12:Boolean!=false$working12:Int!=0$id13:ID!=\"\"$version13:Int!=0$on13:Boolean!=false$working13:Int!=0$id14:ID!=\"\"$version14:Int!=0$on14:Boolean!=false$working14:Int!=0$id15:ID!=\"\"$version15:Int!=0$on15:Boolean!=false$working15:Int!=0$id16:ID!=\"\"$version16:Int!=0$on16:Boolean!=false$working16:Int!=0$id17:ID!=\"\"$version17:Int!=0$on17:Boolean!=false$working17:Int!=0$id18:ID!=\"\"$version18:Int!=0$on18:Boolean!=false$working18:Int!=0$id19:ID!=\"\"$version19:Int!=0$on19:Boolean!=false$working19:Int!=0){p0:applyWorkingCopy(id:$id0 workingVersion:$working0 expectedVersion:$version0 then:PUBLISH)@include(if:$on0){...Changed}p1:applyWorkingCopy(id:$id1 workingVersion:$working1 expectedVersion:$version1 then:PUBLISH)@include(if:$on1){...Changed}p2:applyWorkingCopy(id:$id2 workingVersion:$working2 expectedVersion:$version2 then:PUBLISH)@include(if:$on2){...Changed}p3:applyWorkingCopy(id:$id3 workingVersion:$working3 expectedVersion:$version3 then:PUBLISH)@include(if:$on3){...Changed}p4:applyWorkingCopy(id:$id4 workingVersion:$working4 expectedVersion:$version4 then:PUBLISH)@include(if:$on4){...Changed}p5:applyWorkingCopy(id:$id5 workingVersion:$working5 expectedVersion:$version5 then:PUBLISH)@include(if:$on5){...Changed}p6:applyWorkingCopy(id:$id6 workingVersion:$working6 expectedVersion:$version6 then:PUBLISH)@include(if:$on6){...Changed}p7:applyWorkingCopy(id:$id7 workingVersion:$working7 expectedVersion:$version7 then:PUBLISH)@include(if:$on7){...Changed}p8:applyWorkingCopy(id:$id8 workingVersion:$working8 expectedVersion:$version8 then:PUBLISH)@include(if:$on8){...Changed}p9:applyWorkingCopy(id:$id9 workingVersion:$working9 expectedVersion:$version9 then:PUBLISH)@include(if:$on9){...Changed}p10:applyWorkingCopy(id:$id10 workingVersion:$working10 expectedVersion:$version10 then:PUBLISH)@include(if:$on10){...Changed}p11:applyWorkingCopy(id:$id11 workingVersion:$working11 expectedVersion:$version11 then:PUBLISH)@include(if:$on11){...Changed}p12:applyWorkingCopy(id:$id12 workingVersion:$working12 expectedVersion:$version12 then:PUBLISH)@include(if:$on12){...Changed}p13:applyWorkingCopy(id:$id13 workingVersion:$working13 expectedVersion:$version13 then:PUBLISH)@include(if:$on13){...Changed}p14:applyWorkingCopy(id:$id14 workingVersion:$working14 expectedVersion:$version14 then:PUBLISH)@include(if:$on14){...Changed}p15:applyWorkingCopy(id:$id15 workingVersion:$working15 expectedVersion:$version15 then:PUBLISH)@include(if:$on15){...Changed}p16:applyWorkingCopy(id:$id16 workingVersion:$working16 expectedVersion:$version16 then:PUBLISH)@include(if:$on16){...Changed}p17:applyWorkingCopy(id:$id17 workingVersion:$working17 expectedVersion:$version17 then:PUBLISH)@include(if:$on17){...Changed}p18:applyWorkingCopy(id:$id18 workingVersion:$working18 expectedVersion:$version18 then:PUBLISH)@include(if:$on18){...Changed}p19:applyWorkingCopy(id:$id19 workingVersion:$working19 expectedVersion:$version19 then:PUBLISH)@include(if:$on19){...Changed}}fragment Refusal on UserError{code message field}",
  id: "sha256:ccd8593323791288d82ac0959ea7ec5c240bd930b1f99f13f6ede2749e113a6d",
};

export interface UnpublishPostsData {
  readonly p0?: Changed | null;
  readonly p1?: Changed | null;
  readonly p2?: Changed | null;
  readonly p3?: Changed | null;
  readonly p4?: Changed | null;
  readonly p5?: Changed | null;
  readonly p6?: Changed | null;
  readonly p7?: Changed | null;
  readonly p8?: Changed | null;
  readonly p9?: Changed | null;
  readonly p10?: Changed | null;
  readonly p11?: Changed | null;
  readonly p12?: Changed | null;
  readonly p13?: Changed | null;
  readonly p14?: Changed | null;
  readonly p15?: Changed | null;
  readonly p16?: Changed | null;
  readonly p17?: Changed | null;
  readonly p18?: Changed | null;
  readonly p19?: Changed | null;
}

export interface UnpublishPostsVariables {
  readonly [name: `id${number}`]: string;
  readonly [name: `version${number}`]: number;
  readonly [name: `on${number}`]: boolean;
}

export const UnpublishPosts: StudioDocument<UnpublishPostsData, UnpublishPostsVariables> = {
  text: "fragment Changed on PostPayload{post{id status version}errors{...Refusal}}mutation UnpublishPosts($id0:ID!=\"\"$version0:Int!=0$on0:Boolean!=false$id1:ID!=\"\"$version1:Int!=0$on1:Boolean!=false$id2:ID!=\"\"$version2:Int!=0$on2:Boolean!=false$id3:ID!=\"\"$version3:Int!=0$on3:Boolean!=false$id4:ID!=\"\"$version4:Int!=0$on4:Boolean!=false$id5:ID!=\"\"$version5:Int!=0$on5:Boolean!=false$id6:ID!=\"\"$version6:Int!=0$on6:Boolean!=false$id7:ID!=\"\"$version7:Int!=0$on7:Boolean!=false$id8:ID!=\"\"$version8:Int!=0$on8:Boolean!=false$id9:ID!=\"\"$version9:Int!=0$on9:Boolean!=false$id10:ID!=\"\"$version10:Int!=0$on10:Boolean!=false$id11:ID!=\"\"$version11:Int!=0$on11:Boolean!=false$id12:ID!=\"\"$version12:Int!=0$on12:Boolean!=false$id13:ID!=\"\"$version13:Int!=0$on13:Boolean!=false$id14:ID!=\"\"$version14:Int!=0$on14:Boolean!=false$id15:ID!=\"\"$version15:Int!=0$on15:Boolean!=false$id16:ID!=\"\"$version16:Int!=0$on16:Boolean!=false$id17:ID!=\"\"$version17:Int!=0$on17:Boolean!=false$id18:ID!=\"\"$version18:Int!=0$on18:Boolean!=false$id19:ID!=\"\"$version19:Int!=0$on19:Boolean!=false){p0:unpublishPost(id:$id0 expectedVersion:$version0)@include(if:$on0){...Changed}p1:unpublishPost(id:$id1 expectedVersion:$version1)@include(if:$on1){...Changed}p2:unpublishPost(id:$id2 expectedVersion:$version2)@include(if:$on2){...Changed}p3:unpublishPost(id:$id3 expectedVersion:$version3)@include(if:$on3){...Changed}p4:unpublishPost(id:$id4 expectedVersion:$version4)@include(if:$on4){...Changed}p5:unpublishPost(id:$id5 expectedVersion:$version5)@include(if:$on5){...Changed}p6:unpublishPost(id:$id6 expectedVersion:$version6)@include(if:$on6){...Changed}p7:unpublishPost(id:$id7 expectedVersion:$version7)@include(if:$on7){...Changed}p8:unpublishPost(id:$id8 expectedVersion:$version8)@include(if:$on8){...Changed}p9:unpublishPost(id:$id9 expectedVersion:$version9)@include(if:$on9){...Changed}p10:unpublishPost(id:$id10 expectedVersion:$version10)@include(if:$on10){...Changed}p11:unpublishPost(id:$id11 expectedVersion:$version11)@include(if:$on11){...Changed}p12:unpublishPost(id:$id12 expectedVersion:$version12)@include(if:$on12){...Changed}p13:unpublishPost(id:$id13 expectedVersion:$version13)@include(if:$on13){...Changed}p14:unpublishPost(id:$id14 expectedVersion:$version14)@include(if:$on14){...Changed}p15:unpublishPost(id:$id15 expectedVersion:$version15)@include(if:$on15){...Changed}p16:unpublishPost(id:$id16 expectedVersion:$version16)@include(if:$on16){...Changed}p17:unpublishPost(id:$id17 expectedVersion:$version17)@include(if:$on17){...Changed}p18:unpublishPost(id:$id18 expectedVersion:$version18)@include(if:$on18){...Changed}p19:unpublishPost(id:$id19 expectedVersion:$version19)@include(if:$on19){...Changed}}fragment Refusal on UserError{code message field}",
  id: "sha256:b677ba5f7ac8b90c0efde29c3192c3561de7b421505e8e6a503f28a7af1f9f25",
};

export interface ArchivePostsData {
  readonly p0?: Changed | null;
  readonly p1?: Changed | null;
  readonly p2?: Changed | null;
  readonly p3?: Changed | null;
  readonly p4?: Changed | null;
  readonly p5?: Changed | null;
  readonly p6?: Changed | null;
  readonly p7?: Changed | null;
  readonly p8?: Changed | null;
  readonly p9?: Changed | null;
  readonly p10?: Changed | null;
  readonly p11?: Changed | null;
  readonly p12?: Changed | null;
  readonly p13?: Changed | null;
  readonly p14?: Changed | null;
  readonly p15?: Changed | null;
  readonly p16?: Changed | null;
  readonly p17?: Changed | null;
  readonly p18?: Changed | null;
  readonly p19?: Changed | null;
}

export interface ArchivePostsVariables {
  readonly [name: `id${number}`]: string;
  readonly [name: `version${number}`]: number;
  readonly [name: `on${number}`]: boolean;
}

export const ArchivePosts: StudioDocument<ArchivePostsData, ArchivePostsVariables> = {
  text: "fragment Changed on PostPayload{post{id status version}errors{...Refusal}}mutation ArchivePosts($id0:ID!=\"\"$version0:Int!=0$on0:Boolean!=false$id1:ID!=\"\"$version1:Int!=0$on1:Boolean!=false$id2:ID!=\"\"$version2:Int!=0$on2:Boolean!=false$id3:ID!=\"\"$version3:Int!=0$on3:Boolean!=false$id4:ID!=\"\"$version4:Int!=0$on4:Boolean!=false$id5:ID!=\"\"$version5:Int!=0$on5:Boolean!=false$id6:ID!=\"\"$version6:Int!=0$on6:Boolean!=false$id7:ID!=\"\"$version7:Int!=0$on7:Boolean!=false$id8:ID!=\"\"$version8:Int!=0$on8:Boolean!=false$id9:ID!=\"\"$version9:Int!=0$on9:Boolean!=false$id10:ID!=\"\"$version10:Int!=0$on10:Boolean!=false$id11:ID!=\"\"$version11:Int!=0$on11:Boolean!=false$id12:ID!=\"\"$version12:Int!=0$on12:Boolean!=false$id13:ID!=\"\"$version13:Int!=0$on13:Boolean!=false$id14:ID!=\"\"$version14:Int!=0$on14:Boolean!=false$id15:ID!=\"\"$version15:Int!=0$on15:Boolean!=false$id16:ID!=\"\"$version16:Int!=0$on16:Boolean!=false$id17:ID!=\"\"$version17:Int!=0$on17:Boolean!=false$id18:ID!=\"\"$version18:Int!=0$on18:Boolean!=false$id19:ID!=\"\"$version19:Int!=0$on19:Boolean!=false){p0:archivePost(id:$id0 expectedVersion:$version0)@include(if:$on0){...Changed}p1:archivePost(id:$id1 expectedVersion:$version1)@include(if:$on1){...Changed}p2:archivePost(id:$id2 expectedVersion:$version2)@include(if:$on2){...Changed}p3:archivePost(id:$id3 expectedVersion:$version3)@include(if:$on3){...Changed}p4:archivePost(id:$id4 expectedVersion:$version4)@include(if:$on4){...Changed}p5:archivePost(id:$id5 expectedVersion:$version5)@include(if:$on5){...Changed}p6:archivePost(id:$id6 expectedVersion:$version6)@include(if:$on6){...Changed}p7:archivePost(id:$id7 expectedVersion:$version7)@include(if:$on7){...Changed}p8:archivePost(id:$id8 expectedVersion:$version8)@include(if:$on8){...Changed}p9:archivePost(id:$id9 expectedVersion:$version9)@include(if:$on9){...Changed}p10:archivePost(id:$id10 expectedVersion:$version10)@include(if:$on10){...Changed}p11:archivePost(id:$id11 expectedVersion:$version11)@include(if:$on11){...Changed}p12:archivePost(id:$id12 expectedVersion:$version12)@include(if:$on12){...Changed}p13:archivePost(id:$id13 expectedVersion:$version13)@include(if:$on13){...Changed}p14:archivePost(id:$id14 expectedVersion:$version14)@include(if:$on14){...Changed}p15:archivePost(id:$id15 expectedVersion:$version15)@include(if:$on15){...Changed}p16:archivePost(id:$id16 expectedVersion:$version16)@include(if:$on16){...Changed}p17:archivePost(id:$id17 expectedVersion:$version17)@include(if:$on17){...Changed}p18:archivePost(id:$id18 expectedVersion:$version18)@include(if:$on18){...Changed}p19:archivePost(id:$id19 expectedVersion:$version19)@include(if:$on19){...Changed}}fragment Refusal on UserError{code message field}",
  id: "sha256:d8e56747d8e2187db3b3e2b1e7849a1bcc9d99ee9fc42d2f2e7ff9fe40e0047b",
};

export interface DeletePostsData {
  readonly p0?: Deleted | null;
  readonly p1?: Deleted | null;
  readonly p2?: Deleted | null;
  readonly p3?: Deleted | null;
  readonly p4?: Deleted | null;
  readonly p5?: Deleted | null;
  readonly p6?: Deleted | null;
  readonly p7?: Deleted | null;
  readonly p8?: Deleted | null;
  readonly p9?: Deleted | null;
  readonly p10?: Deleted | null;
  readonly p11?: Deleted | null;
  readonly p12?: Deleted | null;
  readonly p13?: Deleted | null;
  readonly p14?: Deleted | null;
  readonly p15?: Deleted | null;
  readonly p16?: Deleted | null;
  readonly p17?: Deleted | null;
  readonly p18?: Deleted | null;
  readonly p19?: Deleted | null;
}

export interface DeletePostsVariables {
  readonly [name: `id${number}`]: string;
  readonly [name: `version${number}`]: number;
  readonly [name: `on${number}`]: boolean;
}

export const DeletePosts: StudioDocument<DeletePostsData, DeletePostsVariables> = {
  text: "fragment Deleted on DeletedPostPayload{deletedId errors{...Refusal}}mutation DeletePosts($id0:ID!=\"\"$version0:Int!=0$on0:Boolean!=false$id1:ID!=\"\"$version1:Int!=0$on1:Boolean!=false$id2:ID!=\"\"$version2:Int!=0$on2:Boolean!=false$id3:ID!=\"\"$version3:Int!=0$on3:Boolean!=false$id4:ID!=\"\"$version4:Int!=0$on4:Boolean!=false$id5:ID!=\"\"$version5:Int!=0$on5:Boolean!=false$id6:ID!=\"\"$version6:Int!=0$on6:Boolean!=false$id7:ID!=\"\"$version7:Int!=0$on7:Boolean!=false$id8:ID!=\"\"$version8:Int!=0$on8:Boolean!=false$id9:ID!=\"\"$version9:Int!=0$on9:Boolean!=false$id10:ID!=\"\"$version10:Int!=0$on10:Boolean!=false$id11:ID!=\"\"$version11:Int!=0$on11:Boolean!=false$id12:ID!=\"\"$version12:Int!=0$on12:Boolean!=false$id13:ID!=\"\"$version13:Int!=0$on13:Boolean!=false$id14:ID!=\"\"$version14:Int!=0$on14:Boolean!=false$id15:ID!=\"\"$version15:Int!=0$on15:Boolean!=false$id16:ID!=\"\"$version16:Int!=0$on16:Boolean!=false$id17:ID!=\"\"$version17:Int!=0$on17:Boolean!=false$id18:ID!=\"\"$version18:Int!=0$on18:Boolean!=false$id19:ID!=\"\"$version19:Int!=0$on19:Boolean!=false){p0:deletePost(id:$id0 expectedVersion:$version0)@include(if:$on0){...Deleted}p1:deletePost(id:$id1 expectedVersion:$version1)@include(if:$on1){...Deleted}p2:deletePost(id:$id2 expectedVersion:$version2)@include(if:$on2){...Deleted}p3:deletePost(id:$id3 expectedVersion:$version3)@include(if:$on3){...Deleted}p4:deletePost(id:$id4 expectedVersion:$version4)@include(if:$on4){...Deleted}p5:deletePost(id:$id5 expectedVersion:$version5)@include(if:$on5){...Deleted}p6:deletePost(id:$id6 expectedVersion:$version6)@include(if:$on6){...Deleted}p7:deletePost(id:$id7 expectedVersion:$version7)@include(if:$on7){...Deleted}p8:deletePost(id:$id8 expectedVersion:$version8)@include(if:$on8){...Deleted}p9:deletePost(id:$id9 expectedVersion:$version9)@include(if:$on9){...Deleted}p10:deletePost(id:$id10 expectedVersion:$version10)@include(if:$on10){...Deleted}p11:deletePost(id:$id11 expectedVersion:$version11)@include(if:$on11){...Deleted}p12:deletePost(id:$id12 expectedVersion:$version12)@include(if:$on12){...Deleted}p13:deletePost(id:$id13 expectedVersion:$version13)@include(if:$on13){...Deleted}p14:deletePost(id:$id14 expectedVersion:$version14)@include(if:$on14){...Deleted}p15:deletePost(id:$id15 expectedVersion:$version15)@include(if:$on15){...Deleted}p16:deletePost(id:$id16 expectedVersion:$version16)@include(if:$on16){...Deleted}p17:deletePost(id:$id17 expectedVersion:$version17)@include(if:$on17){...Deleted}p18:deletePost(id:$id18 expectedVersion:$version18)@include(if:$on18){...Deleted}p19:deletePost(id:$id19 expectedVersion:$version19)@include(if:$on19){...Deleted}}fragment Refusal on UserError{code message field}",
  id: "sha256:38ff6ffbeaca421b677b06527ee1ae62de4f611dc56be3035379abeabd7b289f",
};

export interface DeletedPostsData {
  readonly deletedPosts: {
    readonly nodes: readonly {
      readonly id: string;
      readonly title: string;
      readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
      readonly deletedAt: string;
      readonly author: {
        readonly id: string;
        readonly name: string;
      };
      readonly deletedBy: {
        readonly id: string;
        readonly name: string;
      } | null;
    }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly endCursor: string | null;
    };
  };
}

export interface DeletedPostsVariables {
  readonly first: number;
  readonly after?: string | null;
}

export const DeletedPosts: StudioDocument<DeletedPostsData, DeletedPostsVariables> = {
  text: "query DeletedPosts($first:Int!$after:String){deletedPosts(first:$first after:$after){nodes{id title status deletedAt author{id name}deletedBy{id name}}pageInfo{hasNextPage endCursor}}}",
  id: "sha256:6792eb27078fce94bd339b943743770f1e65d38ef7b8e5a2d01f199908f81353",
};

export interface RestorePostData {
  readonly restoreDeletedPost: Changed | null;
}

export interface RestorePostVariables {
  readonly id: string;
}

export const RestorePost: StudioDocument<RestorePostData, RestorePostVariables> = {
  text: "fragment Changed on PostPayload{post{id status version}errors{...Refusal}}mutation RestorePost($id:ID!){restoreDeletedPost(id:$id){...Changed}}fragment Refusal on UserError{code message field}",
  id: "sha256:662f98dbb767947d0d4588e25b00c8a1309c33137ccb355f6d4923d049c560a0",
};

export interface RestorePostsData {
  readonly p0?: Changed | null;
  readonly p1?: Changed | null;
  readonly p2?: Changed | null;
  readonly p3?: Changed | null;
  readonly p4?: Changed | null;
  readonly p5?: Changed | null;
  readonly p6?: Changed | null;
  readonly p7?: Changed | null;
  readonly p8?: Changed | null;
  readonly p9?: Changed | null;
  readonly p10?: Changed | null;
  readonly p11?: Changed | null;
  readonly p12?: Changed | null;
  readonly p13?: Changed | null;
  readonly p14?: Changed | null;
  readonly p15?: Changed | null;
  readonly p16?: Changed | null;
  readonly p17?: Changed | null;
  readonly p18?: Changed | null;
  readonly p19?: Changed | null;
}

export interface RestorePostsVariables {
  readonly [name: `id${number}`]: string;
  readonly [name: `on${number}`]: boolean;
}

export const RestorePosts: StudioDocument<RestorePostsData, RestorePostsVariables> = {
  text: "fragment Changed on PostPayload{post{id status version}errors{...Refusal}}mutation RestorePosts($id0:ID!=\"\"$on0:Boolean!=false$id1:ID!=\"\"$on1:Boolean!=false$id2:ID!=\"\"$on2:Boolean!=false$id3:ID!=\"\"$on3:Boolean!=false$id4:ID!=\"\"$on4:Boolean!=false$id5:ID!=\"\"$on5:Boolean!=false$id6:ID!=\"\"$on6:Boolean!=false$id7:ID!=\"\"$on7:Boolean!=false$id8:ID!=\"\"$on8:Boolean!=false$id9:ID!=\"\"$on9:Boolean!=false$id10:ID!=\"\"$on10:Boolean!=false$id11:ID!=\"\"$on11:Boolean!=false$id12:ID!=\"\"$on12:Boolean!=false$id13:ID!=\"\"$on13:Boolean!=false$id14:ID!=\"\"$on14:Boolean!=false$id15:ID!=\"\"$on15:Boolean!=false$id16:ID!=\"\"$on16:Boolean!=false$id17:ID!=\"\"$on17:Boolean!=false$id18:ID!=\"\"$on18:Boolean!=false$id19:ID!=\"\"$on19:Boolean!=false){p0:restoreDeletedPost(id:$id0)@include(if:$on0){...Changed}p1:restoreDeletedPost(id:$id1)@include(if:$on1){...Changed}p2:restoreDeletedPost(id:$id2)@include(if:$on2){...Changed}p3:restoreDeletedPost(id:$id3)@include(if:$on3){...Changed}p4:restoreDeletedPost(id:$id4)@include(if:$on4){...Changed}p5:restoreDeletedPost(id:$id5)@include(if:$on5){...Changed}p6:restoreDeletedPost(id:$id6)@include(if:$on6){...Changed}p7:restoreDeletedPost(id:$id7)@include(if:$on7){...Changed}p8:restoreDeletedPost(id:$id8)@include(if:$on8){...Changed}p9:restoreDeletedPost(id:$id9)@include(if:$on9){...Changed}p10:restoreDeletedPost(id:$id10)@include(if:$on10){...Changed}p11:restoreDeletedPost(id:$id11)@include(if:$on11){...Changed}p12:restoreDeletedPost(id:$id12)@include(if:$on12){...Changed}p13:restoreDeletedPost(id:$id13)@include(if:$on13){...Changed}p14:restoreDeletedPost(id:$id14)@include(if:$on14){...Changed}p15:restoreDeletedPost(id:$id15)@include(if:$on15){...Changed}p16:restoreDeletedPost(id:$id16)@include(if:$on16){...Changed}p17:restoreDeletedPost(id:$id17)@include(if:$on17){...Changed}p18:restoreDeletedPost(id:$id18)@include(if:$on18){...Changed}p19:restoreDeletedPost(id:$id19)@include(if:$on19){...Changed}}fragment Refusal on UserError{code message field}",
  id: "sha256:f6f99a294b9d44e4e9de0ab5359d97a57f4993124aee6d8ef003dd36f6c50533",
};

export interface OwnClientListData {
  readonly ownClients: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: ("PUBLIC" | "CONFIDENTIAL");
    readonly grantTypes: readonly ("AUTHORIZATION_CODE" | "REFRESH_TOKEN" | "CLIENT_CREDENTIALS" | "DEVICE_CODE")[];
    readonly redirectUris: readonly string[];
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
    readonly disabledAt: string | null;
    readonly disabledByOwner: boolean;
  }[];
}

export type OwnClientListVariables = Record<string, never>;

export const OwnClientList: StudioDocument<OwnClientListData, OwnClientListVariables> = {
  text: "query OwnClientList{ownClients{id name type grantTypes redirectUris createdAt lastUsedAt disabledAt disabledByOwner}}",
  id: "sha256:54cb91795e89fa3c11eac0f9911b72f7f696cee035077ba15c990b2c5f1f547b",
};

export interface OwnClientPageData {
  readonly ownClients: readonly OwnClientFacts[];
  readonly ownClientProblems: readonly {
    readonly id: string;
    readonly at: string;
    readonly message: string;
    readonly requestId: string | null;
  }[];
}

export interface OwnClientPageVariables {
  readonly id: string;
}

export const OwnClientPage: StudioDocument<OwnClientPageData, OwnClientPageVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}query OwnClientPage($id:ID!){ownClients{...OwnClientFacts}ownClientProblems(id:$id first:20){id at message requestId}}",
  id: "sha256:000f95fd858614fa9d9133ec750ac47aada5e6f75bdef83a28edc2b528191490",
};

export interface CreateOwnClientData {
  readonly createOwnClient: MadeOwnSecret | null;
}

export interface CreateOwnClientVariables {
  readonly input: CreateOwnClientInput;
}

export const CreateOwnClient: StudioDocument<CreateOwnClientData, CreateOwnClientVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment MadeOwnSecret on ClientSecretPayload{client{...OwnClientFacts}clientSecret errors{...Refusal}}mutation CreateOwnClient($input:CreateOwnClientInput!){createOwnClient(input:$input){...MadeOwnSecret}}fragment Refusal on UserError{code message field}",
  id: "sha256:607de3686c51a27cb9832e901e99e50eab58be626c4a5c9ebb3a20879cbffb74",
};

export interface UpdateOwnClientData {
  readonly updateOwnClient: ChangedOwnClient | null;
}

export interface UpdateOwnClientVariables {
  readonly id: string;
  readonly input: UpdateOwnClientInput;
}

export const UpdateOwnClient: StudioDocument<UpdateOwnClientData, UpdateOwnClientVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedOwnClient on ClientPayload{client{...OwnClientFacts}errors{...Refusal}}mutation UpdateOwnClient($id:ID!$input:UpdateOwnClientInput!){updateOwnClient(id:$id input:$input){...ChangedOwnClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:fbc24f9af3ba1fc345366e1f02a710af56d3480c2f603e773c3c944321b85c61",
};

export interface DeleteOwnClientData {
  readonly deleteOwnClient: {
    readonly deletedId: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface DeleteOwnClientVariables {
  readonly id: string;
}

export const DeleteOwnClient: StudioDocument<DeleteOwnClientData, DeleteOwnClientVariables> = {
  text: "mutation DeleteOwnClient($id:ID!){deleteOwnClient(id:$id){deletedId errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:5d0f7e6f0a60cd46e0bdcc6623056c528cd9bedf7f169fb608d608ebe50b0c6d",
};

export interface AddOwnClientSecretData {
  readonly addOwnClientSecret: MadeOwnSecret | null;
}

export interface AddOwnClientSecretVariables {
  readonly id: string;
}

export const AddOwnClientSecret: StudioDocument<AddOwnClientSecretData, AddOwnClientSecretVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment MadeOwnSecret on ClientSecretPayload{client{...OwnClientFacts}clientSecret errors{...Refusal}}mutation AddOwnClientSecret($id:ID!){addOwnClientSecret(id:$id){...MadeOwnSecret}}fragment Refusal on UserError{code message field}",
  id: "sha256:5efb8084f8d912d648e0da84a320360ea8c462ecfa61b473367804a6ca6c958d",
};

export interface EndOwnClientSecretData {
  readonly endOwnClientSecret: ChangedOwnClient | null;
}

export interface EndOwnClientSecretVariables {
  readonly id: string;
  readonly secret: string;
}

export const EndOwnClientSecret: StudioDocument<EndOwnClientSecretData, EndOwnClientSecretVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedOwnClient on ClientPayload{client{...OwnClientFacts}errors{...Refusal}}mutation EndOwnClientSecret($id:ID!$secret:ID!){endOwnClientSecret(id:$id secret:$secret){...ChangedOwnClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:f9f682ffc18c23f2c3dfc6297a6bf875bdd1fe285fc19114fc7a27731f7ac0c3",
};

export interface DisableOwnClientData {
  readonly disableOwnClient: ChangedOwnClient | null;
}

export interface DisableOwnClientVariables {
  readonly id: string;
}

export const DisableOwnClient: StudioDocument<DisableOwnClientData, DisableOwnClientVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedOwnClient on ClientPayload{client{...OwnClientFacts}errors{...Refusal}}mutation DisableOwnClient($id:ID!){disableOwnClient(id:$id){...ChangedOwnClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:931a98091bc58ed510582ca2746036248ef7d8c926d97fab06a54168dcf7a08d",
};

export interface EnableOwnClientData {
  readonly enableOwnClient: ChangedOwnClient | null;
}

export interface EnableOwnClientVariables {
  readonly id: string;
}

export const EnableOwnClient: StudioDocument<EnableOwnClientData, EnableOwnClientVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedOwnClient on ClientPayload{client{...OwnClientFacts}errors{...Refusal}}mutation EnableOwnClient($id:ID!){enableOwnClient(id:$id){...ChangedOwnClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:6858ece82b21068cc1c117ae988fd71de657b86c9a25053b517d46f399683c32",
};

export interface StartClientTrialData {
  readonly startClientTrial: {
    readonly client: {
      readonly trialUntil: string | null;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface StartClientTrialVariables {
  readonly id: string;
}

export const StartClientTrial: StudioDocument<StartClientTrialData, StartClientTrialVariables> = {
  text: "mutation StartClientTrial($id:ID!){startClientTrial(id:$id){client{trialUntil}errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:41cdada7804fbde0b0c614b4634601193b4e3c8b953457d8023817da8dd5e832",
};

export interface PostEventsData {
  readonly postEvents: {
    readonly id: string;
    readonly type: ("CREATED" | "UPDATED" | "PUBLISHED" | "UNPUBLISHED" | "ARCHIVED" | "DELETED");
    readonly postId: string;
    readonly post: {
      readonly version: number;
    } | null;
  };
}

export interface PostEventsVariables {
  readonly after?: string | null;
}

export const PostEvents: StudioDocument<PostEventsData, PostEventsVariables> = {
  text: "subscription PostEvents($after:ID){postEvents(after:$after){id type postId post{version}}}",
  id: "sha256:cfaabf673188672f1a7bd21f8a15d2a0695c7e9b9d49011aed400f2b92d5064f",
};

export interface StartData {
  readonly viewer: {
    readonly id: string;
    readonly name: string;
  } | null;
  readonly viewerRole: ("MEMBER" | "EDITOR" | "ADMIN") | null;
  readonly serverInfo: {
    readonly operatorName: string;
    readonly maxRequestBytes: number;
    readonly maxTitleLength: number;
    readonly maxBodyLength: number;
    readonly timeZone: string;
    readonly postUrl: string | null;
    readonly revisionDays: number;
    readonly deletedDays: number;
    readonly clientsBy: ("ADMINS" | "PEOPLE");
    readonly build: string;
  };
}

export type StartVariables = Record<string, never>;

export const Start: StudioDocument<StartData, StartVariables> = {
  text: "query Start{viewer{id name}viewerRole serverInfo{operatorName maxRequestBytes maxTitleLength maxBodyLength timeZone postUrl revisionDays deletedDays clientsBy build}}",
  id: "sha256:d73cdef1b0606d2135fed23303b5787d0a17fb8866d986af3df5e6507270cd31",
};

export interface FindPostsData {
  readonly postsConnection: {
    readonly edges: readonly {
      readonly highlight: string | null;
      readonly node: {
        readonly id: string;
        readonly title: string;
        readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
      };
    }[];
  };
}

export interface FindPostsVariables {
  readonly search: string;
}

export const FindPosts: StudioDocument<FindPostsData, FindPostsVariables> = {
  text: "query FindPosts($search:String!){postsConnection(first:8 filter:{search:$search status:[DRAFT PUBLISHED ARCHIVED]}){edges{highlight node{id title status}}}}",
  id: "sha256:acbf4c48b684cbe81235b8914a86d0708291e796b183ec638d28465c8ad5caa1",
};

export interface PostsData {
  readonly postsConnection: {
    readonly edges: readonly {
      readonly highlight: string | null;
      readonly node: PostRow;
    }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly endCursor: string | null;
    };
  };
  readonly author?: {
    readonly name: string;
  } | null;
}

export interface PostsVariables {
  readonly first: number;
  readonly after?: string | null;
  readonly filter: PostFilter;
  readonly orderBy?: PostOrder | null;
  readonly author: string;
  readonly hasAuthor: boolean;
}

export const Posts: StudioDocument<PostsData, PostsVariables> = {
  text: "query Posts($first:Int!$after:String$filter:PostFilter!$orderBy:PostOrder$author:ID!$hasAuthor:Boolean!){postsConnection(first:$first after:$after filter:$filter orderBy:$orderBy){edges{highlight node{...PostRow}}pageInfo{hasNextPage endCursor}}author:user(id:$author)@include(if:$hasAuthor){name}}fragment PostRow on Post{id title status version wordCount createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt heldBecause}viewerCanUpdate workingCopy{title version updatedAt}author{id name}}",
  id: "sha256:769576477711f50686bb6cf9f4844c902ba0f697403467ebc387b7d5a554ccfb",
};

export interface AnnounceEditingData {
  readonly announceEditing: boolean | null;
}

export interface AnnounceEditingVariables {
  readonly id: string;
}

export const AnnounceEditing: StudioDocument<AnnounceEditingData, AnnounceEditingVariables> = {
  text: "mutation AnnounceEditing($id:ID!){announceEditing(id:$id)}",
  id: "sha256:1d9703edacda73d6ba12d98e185ffc77aa0fcfead0a1a21603465892ec381f7c",
};

export interface WorkingCopyEventsData {
  readonly workingCopyEvents: {
    readonly workingVersion: number;
    readonly editing: readonly {
      readonly name: string;
    }[];
  };
}

export interface WorkingCopyEventsVariables {
  readonly post: string;
}

export const WorkingCopyEvents: StudioDocument<WorkingCopyEventsData, WorkingCopyEventsVariables> = {
  text: "subscription WorkingCopyEvents($post:ID!){workingCopyEvents(post:$post){workingVersion editing{name}}}",
  id: "sha256:58b578f9c4d945a6a233d13d3cf631f03f075796d4c918e20448b30bc727cbd8",
};

export interface PostNowData {
  readonly post: PostWithCopy | null;
}

export interface PostNowVariables {
  readonly id: string;
}

export const PostNow: StudioDocument<PostNowData, PostNowVariables> = {
  text: "fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment PostWithCopy on Post{...PublishingTexts workingCopy{...PublishingCopy}}query PostNow($id:ID!){post(id:$id){...PostWithCopy}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:b131dce5601baf9ab5c65b310fb74a3d5586066eab6395c5c157f66cc73c0b2f",
};

export interface SlugOwnerData {
  readonly postBySlug: {
    readonly id: string;
    readonly title: string;
    readonly slug: string;
  } | null;
}

export interface SlugOwnerVariables {
  readonly slug: string;
}

export const SlugOwner: StudioDocument<SlugOwnerData, SlugOwnerVariables> = {
  text: "query SlugOwner($slug:String!){postBySlug(slug:$slug){id title slug}}",
  id: "sha256:b34c89da06764af940e6d246424ac2477d6408edfe0297db572feb735efd0633",
};

export interface RenderedData {
  readonly renderMarkdown: {
    readonly bodyHtml: string;
    readonly excerpt: string;
    readonly wordCount: number;
    readonly slug: string | null;
  };
}

export interface RenderedVariables {
  readonly markdown: string;
  readonly title?: string | null;
}

export const Rendered: StudioDocument<RenderedData, RenderedVariables> = {
  text: "query Rendered($markdown:String!$title:String){renderMarkdown(markdown:$markdown title:$title){bodyHtml excerpt wordCount slug}}",
  id: "sha256:563f627ae82f75bb267470722b74057408d3cd3cbc1af2444a5dbfe2ec64cf71",
};

export interface ApplyTextData {
  readonly applyWorkingCopy: PublishedText | null;
}

export interface ApplyTextVariables {
  readonly id: string;
  readonly workingVersion: number;
  readonly expectedVersion: number;
  readonly then: ("STAY" | "PUBLISH");
  readonly publishAt?: string | null;
  readonly publishAtZone?: string | null;
}

export const ApplyText: StudioDocument<ApplyTextData, ApplyTextVariables> = {
  text: "fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment PostWithCopy on Post{...PublishingTexts workingCopy{...PublishingCopy}}fragment PublishedText on PostPayload{post{...PostWithCopy}errors{...Refusal}}mutation ApplyText($id:ID!$workingVersion:Int!$expectedVersion:Int!$then:AfterApply!$publishAt:String$publishAtZone:String){applyWorkingCopy(id:$id workingVersion:$workingVersion expectedVersion:$expectedVersion then:$then publishAt:$publishAt publishAtZone:$publishAtZone){...PublishedText}}fragment Refusal on UserError{code message field}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:09a462476bcf2ccf32f2fea7ece19bf23f9b614768aa5316fea689f1f432b298",
};

export interface DiscardTextData {
  readonly discardWorkingCopy: {
    readonly post: PublishingTexts | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface DiscardTextVariables {
  readonly id: string;
  readonly workingVersion: number;
}

export const DiscardText: StudioDocument<DiscardTextData, DiscardTextVariables> = {
  text: "fragment PublishingTexts on Post{...FactsOfPost title body excerpt}mutation DiscardText($id:ID!$workingVersion:Int!){discardWorkingCopy(id:$id workingVersion:$workingVersion keepInHistory:true){post{...PublishingTexts}errors{...Refusal}}}fragment Refusal on UserError{code message field}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:ef9311364d4b052d7a49dcfbfc45bbd599650eac14f14447f43b3e68fe94823b",
};

export interface UnscheduleData {
  readonly updatePost: PublishedText | null;
}

export interface UnscheduleVariables {
  readonly id: string;
  readonly expectedVersion: number;
}

export const Unschedule: StudioDocument<UnscheduleData, UnscheduleVariables> = {
  text: "fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment PostWithCopy on Post{...PublishingTexts workingCopy{...PublishingCopy}}fragment PublishedText on PostPayload{post{...PostWithCopy}errors{...Refusal}}mutation Unschedule($id:ID!$expectedVersion:Int!){updatePost(id:$id input:{publishAt:null}expectedVersion:$expectedVersion){...PublishedText}}fragment Refusal on UserError{code message field}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:0f6e892e8cff46ff94c4e3461ec04bb5625d480a5479044afa5c3a9a11282f7d",
};

export interface PlannedTextData {
  readonly post: {
    readonly plannedUpdate: {
      readonly title: string;
      readonly body: string;
      readonly slug: string | null;
      readonly excerpt: string | null;
    } | null;
  } | null;
}

export interface PlannedTextVariables {
  readonly id: string;
}

export const PlannedText: StudioDocument<PlannedTextData, PlannedTextVariables> = {
  text: "query PlannedText($id:ID!){post(id:$id){plannedUpdate{title body slug excerpt}}}",
  id: "sha256:6bb46cfaba565d1c2cc323a6d3dc8cefc2151017f3c751dd7d7a04ed96c22cf9",
};

export interface CancelUpdateData {
  readonly cancelPlannedUpdate: {
    readonly post: (PublishingTexts & {
      readonly workingCopy: PublishingCopy | null;
    }) | null;
    readonly errors: readonly {
      readonly code: string;
      readonly message: string;
      readonly field: string | null;
    }[];
  } | null;
}

export interface CancelUpdateVariables {
  readonly id: string;
  readonly expectedVersion: number;
}

export const CancelUpdate: StudioDocument<CancelUpdateData, CancelUpdateVariables> = {
  text: "fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}mutation CancelUpdate($id:ID!$expectedVersion:Int!){cancelPlannedUpdate(id:$id expectedVersion:$expectedVersion){post{...PublishingTexts workingCopy{...PublishingCopy}}errors{code message field}}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:871de0aa231eee560f6d90b53befc71d3fc0b7931d2abe7384e9ba2e68a579a7",
};

export interface UnpublishData {
  readonly unpublishPost: PublishedText | null;
}

export interface UnpublishVariables {
  readonly id: string;
  readonly expectedVersion: number;
}

export const Unpublish: StudioDocument<UnpublishData, UnpublishVariables> = {
  text: "fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment PostWithCopy on Post{...PublishingTexts workingCopy{...PublishingCopy}}fragment PublishedText on PostPayload{post{...PostWithCopy}errors{...Refusal}}mutation Unpublish($id:ID!$expectedVersion:Int!){unpublishPost(id:$id expectedVersion:$expectedVersion){...PublishedText}}fragment Refusal on UserError{code message field}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:ddd4b26a2b9f708b6031fd96531f12627c2d5933820ea96b0390db59ffa0d551",
};

export interface ArchiveData {
  readonly archivePost: PublishedText | null;
}

export interface ArchiveVariables {
  readonly id: string;
  readonly expectedVersion: number;
}

export const Archive: StudioDocument<ArchiveData, ArchiveVariables> = {
  text: "fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment PostWithCopy on Post{...PublishingTexts workingCopy{...PublishingCopy}}fragment PublishedText on PostPayload{post{...PostWithCopy}errors{...Refusal}}mutation Archive($id:ID!$expectedVersion:Int!){archivePost(id:$id expectedVersion:$expectedVersion){...PublishedText}}fragment Refusal on UserError{code message field}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:d57c13cde546e1020a570399be4a1e848b02ab12e29dcb5cacb521b18898f5ad",
};

export interface DeletePostData {
  readonly deletePost: {
    readonly deletedId: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface DeletePostVariables {
  readonly id: string;
  readonly expectedVersion: number;
}

export const DeletePost: StudioDocument<DeletePostData, DeletePostVariables> = {
  text: "mutation DeletePost($id:ID!$expectedVersion:Int!){deletePost(id:$id expectedVersion:$expectedVersion){deletedId errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:9f7794876fed17e58cb83141f53e447f77db6401e60902ce59b4ccd7d85e50c7",
};

export interface PreviewLinksData {
  readonly post: {
    readonly id: string;
    readonly previewLinks: readonly LinkOfPost[];
  } | null;
}

export interface PreviewLinksVariables {
  readonly id: string;
}

export const PreviewLinks: StudioDocument<PreviewLinksData, PreviewLinksVariables> = {
  text: "fragment LinkOfPost on PreviewLink{id createdAt expiresAt lastUsedAt revision createdBy{name}}query PreviewLinks($id:ID!){post(id:$id){id previewLinks{...LinkOfPost}}}",
  id: "sha256:ecd59ac839cc61646e58fdbfc8a5427e62aaceca56b31bdce594deec01634550",
};

export interface CreatePreviewLinkData {
  readonly createPreviewLink: {
    readonly url: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface CreatePreviewLinkVariables {
  readonly id: string;
  readonly expiresAt: string;
  readonly revision?: string | null;
}

export const CreatePreviewLink: StudioDocument<CreatePreviewLinkData, CreatePreviewLinkVariables> = {
  text: "mutation CreatePreviewLink($id:ID!$expiresAt:String!$revision:ID){createPreviewLink(id:$id expiresAt:$expiresAt revision:$revision){url errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:e36ceaa19a27f4c5d7a3d153680acd64daa017774125db304428e43fd6b01c9c",
};

export interface RevokePreviewLinkData {
  readonly revokePreviewLink: {
    readonly link: {
      readonly id: string;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface RevokePreviewLinkVariables {
  readonly id: string;
}

export const RevokePreviewLink: StudioDocument<RevokePreviewLinkData, RevokePreviewLinkVariables> = {
  text: "mutation RevokePreviewLink($id:ID!){revokePreviewLink(id:$id){link{id}errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:df1fd5b22ed79662e3973027660df81cdc1b8005c2cfd4574e3a1b1e066b8561",
};

export interface HistoryData {
  readonly post: {
    readonly id: string;
    readonly revisions: {
      readonly edges: readonly {
        readonly cursor: string;
        readonly node: HistoryEntry;
      }[];
      readonly pageInfo: {
        readonly hasNextPage: boolean;
        readonly endCursor: string | null;
      };
    };
  } | null;
}

export interface HistoryVariables {
  readonly id: string;
  readonly after?: string | null;
}

export const History: StudioDocument<HistoryData, HistoryVariables> = {
  text: "fragment HistoryEntry on PostRevision{id version kind createdAt status title name clientId person{name}}query History($id:ID!$after:String){post(id:$id){id revisions(first:50 after:$after){edges{cursor node{...HistoryEntry}}pageInfo{hasNextPage endCursor}}}}",
  id: "sha256:f39c9fc3a2d4f9766b17e00462ccb9f5679df67981e2ec52fde3dee6b024ede0",
};

export interface RevisionTextData {
  readonly post: {
    readonly id: string;
    readonly revisions: {
      readonly edges: readonly {
        readonly cursor: string;
        readonly node: {
          readonly id: string;
          readonly title: string | null;
          readonly body: string | null;
          readonly slug: string | null;
          readonly excerpt: string | null;
        };
      }[];
    };
  } | null;
}

export interface RevisionTextVariables {
  readonly id: string;
  readonly after?: string | null;
}

export const RevisionText: StudioDocument<RevisionTextData, RevisionTextVariables> = {
  text: "query RevisionText($id:ID!$after:String){post(id:$id){id revisions(first:1 after:$after){edges{cursor node{id title body slug excerpt}}}}}",
  id: "sha256:e3e6e4f3dd4101e0e07263f74fe5e5686c5296324782647e45af2090b6e18d64",
};

export interface NameRevisionData {
  readonly nameRevision: {
    readonly post: {
      readonly id: string;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface NameRevisionVariables {
  readonly id: string;
  readonly revision: string;
  readonly name?: string | null;
}

export const NameRevision: StudioDocument<NameRevisionData, NameRevisionVariables> = {
  text: "mutation NameRevision($id:ID!$revision:ID!$name:String){nameRevision(id:$id revision:$revision name:$name){post{id}errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:3f94486bd00b34809f4c983939f149619945476379b388a3be09284aa7f5c2c7",
};

export interface RestoreRevisionData {
  readonly restoreRevision: {
    readonly post: PublishingTexts | null;
    readonly workingCopy: PublishingCopy | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface RestoreRevisionVariables {
  readonly id: string;
  readonly revision: string;
  readonly workingVersion: number;
}

export const RestoreRevision: StudioDocument<RestoreRevisionData, RestoreRevisionVariables> = {
  text: "fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}mutation RestoreRevision($id:ID!$revision:ID!$workingVersion:Int!){restoreRevision(id:$id revision:$revision workingVersion:$workingVersion){post{...PublishingTexts}workingCopy{...PublishingCopy}errors{...Refusal}}}fragment Refusal on UserError{code message field}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:f24a19f325d88f4ab1e596d9624981b17f9960df60cc5d9fbf8e5a00355beffa",
};

export interface FindWritingData {
  readonly post: (FactsOfPost & {
    readonly title: string;
    readonly body: string;
    readonly excerpt: string;
    readonly viewerCanUpdate: boolean;
    readonly workingCopy: {
      readonly title: string;
      readonly body: string;
      readonly slug: string | null;
      readonly excerpt: string | null;
      readonly version: number;
      readonly baseVersion: number;
      readonly updatedBy: {
        readonly name: string;
      } | null;
    } | null;
  }) | null;
}

export interface FindWritingVariables {
  readonly id: string;
}

export const FindWriting: StudioDocument<FindWritingData, FindWritingVariables> = {
  text: "fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}query FindWriting($id:ID!){post(id:$id){...FactsOfPost title body excerpt viewerCanUpdate workingCopy{title body slug excerpt version baseVersion updatedBy{name}}}}",
  id: "sha256:d24580c0373e26cff0df4ea98d4077dd2e4c073fe7f2bfe9c48d499c90813898",
};

export interface FindOriginData {
  readonly post: {
    readonly version: number;
    readonly revisions: {
      readonly nodes: readonly {
        readonly version: number;
        readonly kind: ("CREATED" | "APPLIED" | "PUBLISHED" | "UNPUBLISHED" | "ARCHIVED" | "SCHEDULED" | "RESTORED" | "MERGED");
        readonly title: string | null;
        readonly body: string | null;
      }[];
    };
  } | null;
}

export interface FindOriginVariables {
  readonly id: string;
}

export const FindOrigin: StudioDocument<FindOriginData, FindOriginVariables> = {
  text: "query FindOrigin($id:ID!){post(id:$id){version revisions(first:20){nodes{version kind title body}}}}",
  id: "sha256:29a61aef64df45ea0c57afcbc8c1b0fa652267217d5f00f2e2241d00f0b61ca7",
};

export interface StartDraftData {
  readonly createPost: (FactsOfPost & {
    readonly excerpt: string;
  });
}

export interface StartDraftVariables {
  readonly title: string;
  readonly body: string;
}

export const StartDraft: StudioDocument<StartDraftData, StartDraftVariables> = {
  text: "fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}mutation StartDraft($title:String!$body:String!){createPost(input:{title:$title body:$body status:DRAFT}){...FactsOfPost excerpt}}",
  id: "sha256:f7f19962aa3f8001174f403538e3bc0cbc28b943d551b82933b594ae6422677a",
};

export interface SaveWritingData {
  readonly saveWorkingCopy: {
    readonly post: FactsOfPost | null;
    readonly workingCopy: {
      readonly slug: string | null;
      readonly excerpt: string | null;
      readonly version: number;
      readonly baseVersion: number;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface SaveWritingVariables {
  readonly id: string;
  readonly input: WorkingCopyInput;
  readonly workingVersion: number;
  readonly baseVersion: number;
}

export const SaveWriting: StudioDocument<SaveWritingData, SaveWritingVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}mutation SaveWriting($id:ID!$input:WorkingCopyInput!$workingVersion:Int!$baseVersion:Int!){saveWorkingCopy(id:$id input:$input workingVersion:$workingVersion baseVersion:$baseVersion){post{...FactsOfPost}workingCopy{slug excerpt version baseVersion}errors{...Refusal}}}",
  id: "sha256:431ec3adae7c4f1d8d46f4cccd5383e99e047cd8222775c59bd7274a01da88e5",
};

export interface SetWritingAsideData {
  readonly discardWorkingCopy: {
    readonly post: FactsOfPost | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface SetWritingAsideVariables {
  readonly id: string;
  readonly workingVersion: number;
}

export const SetWritingAside: StudioDocument<SetWritingAsideData, SetWritingAsideVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}mutation SetWritingAside($id:ID!$workingVersion:Int!){discardWorkingCopy(id:$id workingVersion:$workingVersion keepInHistory:true keepPlannedUpdate:true){post{...FactsOfPost}errors{...Refusal}}}",
  id: "sha256:ee3659d27b822cd113118df5c0e649c79699173740cfd6808b9a962d997aa25f",
};
