// The floor: the same bytes for everybody, whatever is asked.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const answer = readFileSync(process.env.ANSWER_FILE);

createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.writeHead(200, {
      "content-type": "application/graphql-response+json; charset=utf-8",
      "content-length": answer.length,
    });
    response.end(answer);
  });
}).listen(Number(process.env.PORT), "127.0.0.1");
