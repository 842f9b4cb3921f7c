// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";

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
