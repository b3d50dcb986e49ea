-- Tamper evidence: each batch of the ledger ends with a seal, an HMAC over the previous seal and everything the batch wrote. The
-- key is derived from MASTER_KEY, so that not even the owner of the tables can change history without detection.

-- One chain per gateway process. Its MAC also covers the chain opened before and the newest seals of the other chains, so that
-- removing or shortening an earlier chain is detected.
create table seal_chains (
  -- Without gaps.
  id integer primary key,
  started_at timestamptz not null,
  -- True: from here on every row of the ledger has a seal. False: earlier versions wrote rows that are not sealed yet.
  complete boolean not null,
  -- The newest batch of every chain that no earlier row lists.
  heads bigint[] not null,
  mac bytea not null
);

create table seals (
  -- The chain times 2^32, plus the number of the batch in its chain, from 1.
  batch bigint primary key,
  format smallint not null,
  at timestamptz not null,
  -- SHA-256 of the batch's requests; null if it has none. The seal covers the digest, so that old idempotency records can be
  -- deleted one day without breaking the chain.
  requests_digest bytea,
  mac bytea not null
);

-- Null in rows of earlier versions. In compliance_alerts also null for alerts that no payment raised.
alter table movements add column batch bigint;
alter table requests add column batch bigint;
alter table inbound_transactions add column batch bigint;
alter table inbound_reversals add column batch bigint;
alter table compliance_alerts add column batch bigint;

grant select, insert on seal_chains, seals to kissi_app;
