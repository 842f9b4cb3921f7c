import { openPostgres } from "../postgres.ts";
import { answersLikeGraphQL, RUNS } from "./oracle.ts";

const postgres = await openPostgres();

// A quarter of them: the plans are the same, only the SQL that is made of them differs.
answersLikeGraphQL("PostgreSQL", Math.ceil(RUNS / 4), () => postgres.createDatabase());
