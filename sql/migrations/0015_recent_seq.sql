-- What an account lately did holds only as of its last posting by a gateway that kept it. One of an older version, which still
-- runs while others are exchanged, posts without it: then last_seq is beyond this, and nothing is known.
alter table accounts add column recent_seq bigint not null default 0;
