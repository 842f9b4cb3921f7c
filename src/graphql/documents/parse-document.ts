import { type DocumentNode, GraphQLError, parse } from "graphql";
import { AppError } from "../../domain/errors.ts";
import { DocumentError } from "./errors.ts";
import { assertWithin, hasTooManyTokens } from "./limits.ts";

/** @throws DocumentError GRAPHQL_PARSE_FAILED, AppError BAD_USER_INPUT for text that is no Unicode, and beyond the limit */
export function parseDocument(text: string, maxLexicalTokens: number): DocumentNode {
  if (!text.isWellFormed())
    throw new AppError("BAD_USER_INPUT", "The document must be valid Unicode text.", { field: "query" });
  try {
    return parse(text, { maxLexicalTokens, maxComments: maxLexicalTokens });
  } catch (error) {
    if (hasTooManyTokens(text, maxLexicalTokens)) {
      assertWithin("number of tokens", Number.POSITIVE_INFINITY, maxLexicalTokens);
    }
    if (error instanceof GraphQLError) throw DocumentError.from([error], "GRAPHQL_PARSE_FAILED");
    throw error;
  }
}
