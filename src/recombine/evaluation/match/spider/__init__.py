"""The decision of the evaluator that was published with Spider, so that scores compare with published ones."""
