DROP TABLE proof_keys;
DROP FUNCTION refuse_change_of_proof_keys();
