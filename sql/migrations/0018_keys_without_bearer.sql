-- Whether a bearer value was issued for a key. Keys of partners and processors have one only on request: they sign.
-- Every key that exists has one, and so does every key that a gateway of the previous version creates meanwhile.
alter table api_keys add column bearer boolean not null default true;
