// Signs up, logs in, submits, lists and maps with the client of openapi-generator's `typescript-fetch`.

import { AccountsApi, Configuration, FindingsApi, MapsApi, PointFeature, SightingsApi } from "./client";

declare const process: { argv: string[] };

function check(condition: boolean, what: string) {
  if (!condition) throw new Error(what);
}

async function main(basePath: string, email: string, password: string) {
  const accounts = new AccountsApi(new Configuration({ basePath }));
  const registration = { email, password, name: "Maria Alvarez", oldEnough: true };
  const account = await accounts.registerAccount({ idempotencyKey: crypto.randomUUID(), registration });
  const session = await accounts.logIn({ credentials: { email, password } });
  check(session.account.id === account.id, "another account");

  const configuration = new Configuration({ basePath, accessToken: session.accessToken });
  const answer = await new SightingsApi(configuration).submitSightingRaw({
    idempotencyKey: crypto.randomUUID(),
    newSighting: {
      name: "Pacific Wren", count: 2, confidence: 8, observedAt: "2026-05-01T07:30:00-07:00",
      latitude: 47.6577, longitude: -122.4056,
    },
  });
  const finding = await answer.value();
  check(finding.taxon?.scientificName === "Troglodytes pacificus", "another taxon");

  const logPosition = answer.raw.headers.get("Log-Position") ?? undefined;
  const page = await new FindingsApi(configuration).listFindings({ logPosition });
  check(page.items.length === 1 && page.items[0].id === finding.id, "another list");
  const map = await new MapsApi(configuration).getOwnMap({ logPosition });
  const feature = map.features[0] as PointFeature;
  check(feature.id === finding.id && feature.properties.status === "pending", "another map");
}

void main(process.argv[2], process.argv[3], process.argv[4]);
