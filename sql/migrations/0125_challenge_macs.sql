-- The owner of the database could plant a challenge, which stands for a right password. Challenges without a MAC are refused;
-- they are five minutes old at most.
alter table second_factor_challenges add column mac bytea;
