// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Changed } from "./bulk.ts";

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
