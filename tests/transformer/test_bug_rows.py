"""Faults that others reported, by group and row, and the tests that hold this package to the right behaviour.

A normalisation and residuals, B attention and masks, C embeddings and positions, D loss and batching, E optimizer,
schedule, dropout and numerics, F generation and byte pairs. Numbers have gaps.
"""

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent

ROWS = {
    "A1": ["test_layer_norm.py::test_row_A1_the_variance_divides_by_d_and_eps_stands_inside_the_root",
           "test_layer_norm.py::test_row_A1_a_constant_row_gives_beta_and_finite_gradients"],
    "A2": ["test_blocks.py::test_row_A2_pre_norm_normalises_what_the_sublayer_reads",
           "test_blocks.py::test_row_A2_post_norm_normalises_the_sum",
           "test_blocks.py::test_row_A2_the_two_are_different_functions"],
    "A3": ["parity/test_models.py::test_row_A3_the_model_of_2017_agrees_with_nn_transformer_without_its_extra_norms",
           "parity/test_models.py::test_row_A3_the_extra_norms_of_nn_transformer_change_the_outputs",
           "test_layer_norm.py::test_row_A3_a_second_norm_shows_only_with_gamma_and_beta_as_after_training"],
    "A4": ["test_layer_norm.py::test_row_A4_a_large_mean_does_not_spoil_the_variance"],
    "A5": ["test_layer_norm.py::test_row_A5_gamma_enters_before_the_means"],
    "A6": ["test_layer_norm.py::test_row_A6_a_gradient_of_ones_would_hide_a_wrong_backward",
           "test_every_operation.py::test_row_A6_a_term_or_factor_left_out_of_a_backward_is_noticed"],
    "B7": ["test_cross_attention.py::test_row_B7_a_query_that_may_read_nothing_gives_zeros",
           "test_models.py::test_row_B7_a_source_of_padding_alone_gives_finite_results",
           "test_models.py::test_row_B7_a_text_of_padding_alone_gives_finite_results_and_changes_no_other",
           "test_masks.py::test_row_B7_a_fully_masked_row_gives_zeros_forward_and_backward",
           "test_softmax.py::test_a_fully_masked_row_gives_zero_weights_outputs_and_gradients"],
    "B10": ["test_masks.py::test_row_B10_a_masked_weight_is_exactly_zero"],
    "B11": ["test_models.py::test_row_B11_more_padding_changes_nothing_in_the_language_model",
            "test_models.py::test_row_B11_more_padding_changes_nothing_in_the_model_of_2017",
            "test_models.py::test_row_B11_the_embedding_of_padding_is_never_read",
            "test_models.py::test_row_B11_a_row_of_a_batch_is_what_it_is_alone",
            "test_cross_attention.py::test_row_B11_the_padding_of_the_memory_is_not_read",
            "test_masks.py::test_row_B11_padding_keys_are_masked_and_padding_queries_are_not",
            "test_masks.py::test_row_B11_what_stands_at_the_padding_changes_no_real_row",
            "test_cross_entropy.py::test_padding_changes_neither_the_loss_nor_the_gradients_of_real_rows"],
    "B12": ["test_masks.py::test_row_B12_a_mask_reads_token_ids_and_no_vectors"],
    "B13": ["test_models.py::test_row_B13_a_later_token_changes_no_earlier_score",
            "test_models.py::test_row_B13_a_later_target_token_changes_no_earlier_score",
            "test_models.py::test_row_B13_an_untrained_model_loses_about_log_V",
            "test_attention.py::test_later_rows_never_change_earlier_outputs",
            "test_cross_entropy.py::test_row_B13_equal_logits_cost_the_logarithm_of_the_vocabulary"],
    "B14": ["test_masks.py::test_row_B14_heads_are_merged_with_a_swap_of_axes",
            "test_heads.py::test_merging_moves_the_head_axis_before_it_reshapes"],
    "B15": ["test_cache.py::test_row_B15_self_attention_with_a_cache_equals_attention_for_every_split",
            "test_cache.py::test_row_B15_grouped_queries_with_a_cache_equal_grouped_queries_for_every_split",
            "test_cache.py::test_row_B15_the_language_model_writes_the_same_scores_for_every_split",
            "test_cache.py::test_row_B15_the_model_of_2017_writes_the_same_scores_for_every_split",
            "test_cache.py::test_row_B15_text_is_the_same_with_and_without_a_cache",
            "test_masks.py::test_row_B15_the_causal_mask_continues_after_the_past",
            "test_positions.py::test_row_C20_positions_count_from_zero_or_from_where_the_text_stopped"],
    "C17": ["test_positions.py::test_row_C17_the_columns_of_a_pair_share_one_frequency",
            "test_positions.py::test_row_C17_a_rotation_by_k_maps_a_position_to_the_one_k_later"],
    "C18": ["test_positions.py::test_row_C18_an_odd_width_is_refused_with_a_sentence"],
    "C19": ["test_positions.py::test_row_C19_interleaved_and_the_longest_wavelength_is_not_reached"],
    "C20": ["test_positions.py::test_row_C20_positions_count_from_zero_or_from_where_the_text_stopped"],
    "C21": ["test_rotary.py::test_row_C21_the_pairing_is_interleaved",
            "test_rotary.py::test_row_C21_a_product_depends_on_the_offset_alone",
            "test_rotary.py::test_row_C21_frequencies_of_the_other_layout_break_the_property"],
    "C22": ["test_models.py::test_row_C22_one_matrix_serves_source_target_and_output",
            "test_models.py::test_row_C22_the_output_layer_has_no_factor_and_the_input_has_the_root_of_the_width",
            "test_counting.py::test_row_C22_the_base_model_has_63_082_496_parameters",
            "test_counting.py::test_row_C22_a_separate_output_matrix_makes_82_026_496",
            "test_counting.py::test_row_C22_two_vocabularies_of_32_000_make_76_906_496",
            "test_counting.py::test_row_C22_gpt_2_small_has_124_439_808_parameters_and_163_037_184_untied",
            "test_embedding.py::test_row_C22_one_matrix_gathers_both_gradients",
            "test_embedding.py::test_row_C22_the_factor_stands_on_the_input_side_and_the_deviation_is_its_inverse"],
    "C23": ["test_embedding.py::test_row_C23_the_gradient_adds_up_over_repeated_tokens",
            "test_embedding.py::test_row_C23_numbers"],
    "D24": ["test_cross_entropy.py::test_row_D24_the_convention_shares_eps_over_all_tokens",
            "test_cross_entropy.py::test_row_D24_the_loss_at_the_target_distribution_is_its_entropy",
            "test_cross_entropy.py::test_row_D24_batches_without_padding_and_of_padding_alone"],
    "D25": ["test_cross_entropy.py::test_row_D25_all_targets_ignored_gives_zero_loss_and_gradient",
            "test_cross_entropy.py::test_row_D25_ignored_is_a_value_and_not_a_position"],
    "D26": ["test_cross_entropy.py::test_row_D26_the_mean_counts_real_targets_only",
            "test_perplexity.py::test_row_D26_the_batch_size_does_not_change_perplexity",
            "test_perplexity.py::test_row_D26_two_sequences_of_different_length"],
    "D27": ["test_reversal.py::test_row_D27_the_target_is_shifted_once_in_each_row",
            "test_text.py::test_row_D27_the_target_at_t_is_token_t_plus_1_in_all_windows"],
    "D29": ["test_cross_entropy.py::test_row_D29_gradient_with_ties_batches_padding_and_repeated_targets",
            "test_cross_entropy.py::test_row_D29_numbers"],
    "E30": ["test_schedules.py::test_row_E30_table_of_the_base_model",
            "test_schedules.py::test_row_E30_table_of_the_small_model",
            "test_schedules.py::test_row_E30_steps_start_at_one",
            "test_optimizers.py::test_row_E30_one_update_counts_once_for_all_parameters"],
    "E31": ["test_optimizers.py::test_row_E31_three_steps_of_adam",
            "test_optimizers.py::test_row_E31_three_steps_by_numbers",
            "test_optimizers.py::test_row_E31_the_first_step_is_the_rate_times_the_sign",
            "test_optimizers.py::test_row_E31_the_bias_correction_fades"],
    "E32": ["test_optimizers.py::test_row_E32_only_matrices_decay_and_the_groups_add_up",
            "test_optimizers.py::test_row_E32_the_decay_is_decoupled"],
    "E33": ["test_models.py::test_row_E33_two_evaluations_are_identical_and_equal_training_without_dropout",
            "test_blocks.py::test_row_E33_evaluation_equals_training_without_dropout",
            "test_dropout.py::test_row_E33_evaluation_is_the_exact_identity",
            "test_dropout.py::test_row_E33_the_backward_uses_the_mask_of_the_forward"],
    "E34": ["test_softmax.py::test_very_large_and_very_small_rows_together",
            "test_softmax.py::test_scores_near_the_largest_number_do_not_overflow",
            "test_cross_entropy.py::test_row_E34_logits_of_any_size_neither_overflow_nor_lose_digits"],
    "E35": ["test_activations.py::test_row_E35_the_two_forms_of_gelu_are_different_functions"],
    "E37": ["test_init.py::test_row_E37_published_weights_are_compared_with_stored_numbers",
            "test_shipped_models.py::test_row_E37_the_files_are_those_whose_hashes_are_listed",
            "test_shipped_models.py::test_row_E37_the_seed_still_draws_the_initial_weights_of_the_record"],
    "F38": ["test_generation.py::test_row_F38_temperature_0_leaves_only_the_largest_and_the_lowest_id_on_ties",
            "test_generation.py::test_row_F38_sampling_at_temperature_0_equals_greedy",
            "test_generation.py::test_row_F38_a_negative_or_infinite_temperature_is_refused"],
    "F39": ["test_generation.py::test_row_F39_what_is_ruled_out_gets_minus_infinity_not_a_small_number",
            "test_generation.py::test_row_F39_of_equal_scores_the_lower_ids_are_kept",
            "test_generation.py::test_row_F39_a_k_above_the_vocabulary_keeps_all"],
    "F40": ["test_generation.py::test_row_F40_the_token_that_crosses_p_is_kept",
            "test_generation.py::test_row_F40_p_0_keeps_one_token_and_p_1_all"],
    "F41": ["test_generation.py::test_row_F41_a_finished_row_is_frozen_with_padding_and_its_end_scored_once",
            "test_generation.py::test_row_F41_a_batch_equals_its_rows_one_by_one",
            "test_models_writing.py::test_row_F41_a_batch_of_a_real_model_is_written_like_its_rows_one_by_one"],
    "F42": ["test_beam.py::test_row_F42_a_beam_of_1_is_greedy_choice",
            "test_beam.py::test_row_F42_a_wide_beam_finds_the_best_of_all_continuations",
            "test_models_writing.py::test_row_F42_a_beam_of_1_is_greedy_choice_in_a_real_model",
            "test_models_writing.py::test_row_F42_a_wide_beam_with_a_cache_finds_what_reading_everything_finds",
            "test_beam.py::test_row_F42_the_search_stops_once_nothing_open_can_win"],
    "F43": ["test_tokenizer.py::test_row_F43_the_textbook_example_and_its_tie",
            "test_tokenizer.py::test_row_F43_a_permuted_corpus_gives_the_same_merges"],
    "F44": ["test_tokenizer.py::test_row_F44_every_text_comes_back",
            "test_tokenizer.py::test_row_F44_the_lowest_rank_comes_first_wherever_it_stands"],
}

# What no test shows yet: for the whole row, or, where it stands above too, for the part that is named here.
PENDING = {}

NUMBERS = {"A": [1, 2, 3, 4, 5, 6], "B": [7, 10, 11, 12, 13, 14, 15], "C": [17, 18, 19, 20, 21, 22, 23],
           "D": [24, 25, 26, 27, 29], "E": [30, 31, 32, 33, 34, 35, 37], "F": [38, 39, 40, 41, 42, 43, 44]}
ALL = {f"{group}{number}" for group, numbers in NUMBERS.items() for number in numbers}


def names_of_tests(path):
    """The names of the test functions of a file."""
    return {node.name for node in ast.parse(path.read_text(encoding="utf-8")).body
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_every_row_is_tested_or_listed_as_pending():
    missing = sorted(ALL - set(ROWS) - set(PENDING))
    unknown = sorted((set(ROWS) | set(PENDING)) - ALL)
    whole = [row for row in PENDING if row not in ROWS]
    print(f"{len(ROWS)} of {len(ALL)} rows have tests; pending whole: {', '.join(whole) or 'none'}")
    for row, what in PENDING.items():
        print(f"pending {row}{' in part' if row in ROWS else ''}: {what}")
    assert not missing and not unknown


@pytest.mark.parametrize("row", ROWS)
def test_every_test_that_the_table_names_exists(row):
    named = [test.split("::") for test in ROWS[row]]
    missing = [f"{file}::{name}" for file, name in named
               if not (HERE / file).is_file() or name not in names_of_tests(HERE / file)]
    assert named and not missing, f"row {row}: no such test: {', '.join(missing)}"


def test_every_test_that_names_a_row_names_a_known_one():
    named = [(path.name, name, match[1]) for path in HERE.rglob("test_*.py") for name in names_of_tests(path)
             if (match := re.match(r"test_row_([A-Z]\d+)_", name))]
    unknown = [f"{file}::{name}" for file, name, row in named if row not in ROWS]
    print(f"{len(named)} tests name a row")
    assert len(named) > 50 and not unknown, f"rows that the table lacks: {', '.join(unknown)}"
